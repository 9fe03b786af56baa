// Load on a server of this machine: requests that are ready-made, over connections that stay open, each with one at a time.
import { connect } from 'node:net';

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** The bytes of a POST request. */
export function requestBytes(type, body) {
  const head = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nAccept: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/** One connection, which sends requests and reads responses with a Content-Length. */
class Connection {
  #socket;
  #received = Buffer.alloc(0);
  #wake;
  #error;

  constructor(port) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (data) => {
      this.#received = this.#received.length === 0 ? data : Buffer.concat([this.#received, data]);
      this.#wake?.();
    });
    const fail = (error) => {
      this.#error = error ?? new Error('the connection was closed');
      this.#wake?.();
    };
    this.#socket.on('error', fail).on('close', () => fail());
  }

  async #until(isEnough) {
    for (;;) {
      const enough = isEnough(this.#received);
      if (enough !== undefined) return enough;
      if (this.#error) throw this.#error;
      await new Promise((resolve) => (this.#wake = resolve));
    }
  }

  /** Sends a request: the status of the response, and the bytes of its body. */
  async exchange(bytes) {
    this.#socket.write(bytes);
    const end = await this.#until((received) => {
      const at = received.indexOf(END_OF_HEAD);
      return at < 0 ? undefined : at + END_OF_HEAD.length;
    });
    const head = this.#received.latin1Slice(0, end);
    const length = /^content-length: (\d+)/im.exec(head);
    if (length === null) throw new Error(`no Content-Length in ${head}`);
    const total = end + Number(length[1]);
    await this.#until((received) => (received.length >= total ? true : undefined));
    const body = this.#received.subarray(end, total);
    this.#received = this.#received.subarray(total);
    return { status: Number(head.slice(9, 12)), body };
  }

  close() {
    this.#socket.destroy();
  }
}

/**
 * Sends `n` requests over `connections` connections.
 * @param {number} port
 * @param {number} connections
 * @param {number} n
 * @param {(index: number) => { bytes: Buffer, check: (response: { status: number, body: Buffer }) => boolean }} requestAt
 * @returns {Promise<{ seconds: number, latencies: number[], failures: string[] }>} latencies in milliseconds
 */
export async function load(port, connections, n, requestAt) {
  const latencies = [];
  const failures = [];
  let next = 0;
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, async () => {
    const connection = new Connection(port);
    while (next < n) {
      const { bytes, check } = requestAt(next++);
      const sent = performance.now();
      const response = await connection.exchange(bytes);
      latencies.push(performance.now() - sent);
      if (!check(response)) failures.push(`status ${response.status}: ${response.body.toString('utf8', 0, 200)}`);
    }
    connection.close();
  }));
  return { seconds: (performance.now() - start) / 1000, latencies, failures };
}
