// A file that takes the place of another once it is whole: until then, and if it never is, the other one stays as it was.
import {
  closeSync, constants, copyFileSync, fchmodSync, fstatSync, openSync, readlinkSync, realpathSync, renameSync, rmSync, statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const NEW_FILE_MODE = 0o666;
const PERMISSIONS = 0o7777;

/**
 * What a path stands for, also where it is a link to nothing yet.
 * @param {string} path
 */
function targetOf(path) {
  try {
    return realpathSync(path);
  } catch {
    try {
      return resolve(dirname(path), readlinkSync(path));
    } catch {
      return path;
    }
  }
}

/**
 * Makes a file beside the target, so that it can be moved there; where that is not allowed, somewhere else.
 * @param {string} target
 * @param {boolean} isThere whether there is a file already, which must be one that may be written
 */
function create(target, isThere) {
  if (isThere) closeSync(openSync(target, constants.O_WRONLY));
  const name = `.${basename(target)}.${process.pid}.${Date.now().toString(36)}`;
  const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;
  const beside = join(dirname(target), name);
  try {
    return { path: beside, fd: openSync(beside, flags, NEW_FILE_MODE) };
  } catch (error) {
    if (!isThere) throw error;
    const elsewhere = join(tmpdir(), name);
    return { path: elsewhere, fd: openSync(elsewhere, flags, 0o600) };
  }
}

/** See above. */
export class Replacement {
  /**
   * @param {string} path
   * @returns {Replacement | undefined} undefined for what is no regular file (a pipe, a terminal, /dev/stdout, a directory)
   */
  static for(path) {
    const status = statSync(path, { throwIfNoEntry: false });
    if (path.startsWith('/dev/') || (status !== undefined && !status.isFile())) return undefined;
    return new Replacement(targetOf(path), status);
  }

  /**
   * @param {string} target
   * @param {import('node:fs').Stats | undefined} status of what stands there
   */
  constructor(target, status) {
    this.target = target;
    this.path = '';
    this.drop = this.drop.bind(this);
    this.onSignal = (/** @type {NodeJS.Signals} */ signal) => {
      this.drop();
      process.kill(process.pid, signal);
    };
    // From here on a signal waits for a turn of the event loop, so that it finds the file that is made now.
    process.once('exit', this.drop);
    for (const signal of SIGNALS) process.once(signal, this.onSignal);
    const { path, fd } = create(target, status !== undefined);
    this.path = path;
    this.fd = fd;
    // Another name of the same file shall see what is written, too.
    this.isMoved = status === undefined || (status.nlink === 1 && status.uid === fstatSync(fd).uid && dirname(path) === dirname(target));
    if (status !== undefined && this.isMoved) fchmodSync(fd, status.mode & PERMISSIONS);
  }

  /** Puts it in place. It must have been closed. */
  put() {
    if (this.isMoved) renameSync(this.path, this.target);
    else copyFileSync(this.path, this.target);
    this.drop();
  }

  /** Takes it away again. */
  drop() {
    process.removeListener('exit', this.drop);
    for (const signal of SIGNALS) process.removeListener(signal, this.onSignal);
    if (this.path !== '') rmSync(this.path, { force: true });
  }
}
