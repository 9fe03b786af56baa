// The command line as a user runs it: the real program, files and pipes.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync, linkSync, lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { encode, encodeSequence } from 'wcbor';
import { bytesOf } from './calls.js';

const program = fileURLToPath(new URL('../../js/cli/wcbor.js', import.meta.url));
const samples = new URL('../../demo/samples/', import.meta.url);
const scratch = mkdtempSync(join(tmpdir(), 'wcbor-cli-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const file = (name, contents) => {
  const path = join(scratch, name);
  writeFileSync(path, contents);
  return path;
};

/** Runs the program; the output is hex where `binary` says so. */
function run(args, input = '', { binary = false } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { input, maxBuffer: 2 ** 28 });
  return { status, out: stdout.toString(binary ? 'hex' : 'utf8'), err: stderr.toString() };
}

const ok = (out) => ({ status: 0, out, err: '' });

test('encode: JSON to CBOR', () => {
  assert.deepEqual(run(['encode'], '{"b": [1, -2.5], "a": null}', { binary: true }), ok('a261628201f9c1006161f6'));
  assert.deepEqual(run(['encode', '--mode', 'deterministic', '-'], '{"b": [1, -2.5], "a": null}', { binary: true }), ok('a26161f661628201f9c100'));
  assert.deepEqual(run(['encode', '--hex'], '18446744073709551615'), ok('1bffffffffffffffff\n'));
  assert.deepEqual(run(['encode', '-s', '--hex'], '1\n\n[2]\r\n\u001e{"a":3}'), ok('01\n8102\na1616103\n'));
  assert.deepEqual(run(['encode', '-d', '--hex'], "{_ 1: h'ff', 2: 1.5_3} # so"), ok('bf0141ff02fb3ff8000000000000ff\n'));
  assert.deepEqual(run(['encode', '-d', '-m', 'deterministic', '--hex'], "{_ 2: h'ff', 1: 1.5_3}"), ok('a201f93e000241ff\n'));
  assert.deepEqual(run(['encode', '-d', '-s', '--hex'], '1, 2'), ok('0102\n'));
});

test('decode: CBOR to JSON', () => {
  assert.deepEqual(run(['decode'], bytesOf('a2616101616282f93e0043010203')), ok('{"a":1,"b":[1.5,"AQID"]}\n'));
  assert.deepEqual(run(['decode', '--pretty'], bytesOf('a161618201f5')), ok('{\n  "a": [\n    1,\n    true\n  ]\n}\n'));
  assert.deepEqual(run(['decode', '-s'], bytesOf('01820203a0')), ok('1\n[2,3]\n{}\n'));
  assert.deepEqual(run(['decode', '--hex'], 'a1 01 # one\n 02'), ok('{"1":2}\n'));
  assert.deepEqual(run(['decode', '--base64'], 'ggEC\n'), ok('[1,2]\n'));
});

test('real documents, there and back', () => {
  for (const name of ['api-list.json', 'trace-spans.json', 'mixed-scripts.json']) {
    const path = fileURLToPath(new URL(name, samples));
    const cbor = join(scratch, `${name}.cbor`);
    assert.deepEqual(run(['encode', path, '-o', cbor]), ok(''));
    const value = JSON.parse(readFileSync(path, 'utf8'));
    assert.ok(readFileSync(cbor).equals(encode(value)));
    assert.deepEqual(JSON.parse(run(['decode', cbor]).out), value);
    assert.deepEqual(run(['validate', '-q', cbor]), ok(''));
    const text = run(['diagnose', cbor]).out;
    assert.ok(spawnSync(process.execPath, [program, 'encode', '-d'], { input: text }).stdout.equals(readFileSync(cbor)));
    const hex = run(['annotate', cbor]).out;
    assert.equal(run(['diagnose', '--hex'], hex).out, text);
  }
});

test('diagnose and annotate', () => {
  assert.deepEqual(run(['diagnose'], bytesOf('8201d818428101')), ok("[1, 24(h'8101')]\n"));
  assert.deepEqual(run(['diagnose', '-e', '-i', 'always', '-p'], bytesOf('8201d818428101')), ok('[_i\n  1_i,\n  24_0(<<\n    [_i\n      1_i\n    ]\n  >>)\n]\n'));
  assert.deepEqual(run(['diagnose', '-s'], bytesOf('6161616282010203')), ok('"a",\n"b",\n[1, 2],\n3\n'));
  assert.deepEqual(run(['annotate'], bytesOf('82016161')), ok('82       # array(2)\n   01    # unsigned(1)\n   61    # text(1)\n      61 # "a"\n'));
  assert.deepEqual(run(['annotate', '-s'], bytesOf('01f6')), ok('01 # unsigned(1)\nf6 # null\n'));
});

test('validate and canonicalize', () => {
  assert.deepEqual(run(['validate'], bytesOf('820102')), ok('valid (strict): 1 item, 3 bytes\n'));
  assert.deepEqual(run(['validate', '-s'], bytesOf('0102')), ok('valid (strict): 2 items, 2 bytes\n'));
  assert.deepEqual(run(['canonicalize'], bytesOf('bf616218016161fb3ff8000000000000ff'), { binary: true }), ok('a26161f93e00616201'));
  assert.deepEqual(run(['canonicalize', '-s', '-m', 'ctap2'], bytesOf('18019fff'), { binary: true }), ok('0180'));
});

test('invalid data: exit code 1, and the code and the place on standard error', () => {
  const rows = [
    [['decode'], bytesOf('820161'), 'ERR_CBOR_UNEXPECTED_END at byte 2|ERR_CBOR_LENGTH_EXCEEDS_BUFFER at byte 2'],
    [['decode', '-s'], bytesOf('01a2616101616102'), 'ERR_CBOR_DUPLICATE_KEY at byte 5'],
    [['diagnose'], bytesOf('81ff'), 'ERR_CBOR_UNEXPECTED_BREAK at byte 1'],
    [['diagnose', '-s'], bytesOf('0102811c03'), 'ERR_CBOR_INVALID_INTEGER_ENCODING at byte 3'],
    [['annotate', '-s'], bytesOf('0102811c03'), 'ERR_CBOR_INVALID_INTEGER_ENCODING at byte 3'],
    [['annotate'], bytesOf('0102'), 'ERR_CBOR_TRAILING_BYTES at byte 1'],
    [['validate', '-m', 'ctap2'], bytesOf('82c10102'), 'ERR_CBOR_TAGS_NOT_ALLOWED at byte 1'],
    [['validate', '-s', '-m', 'deterministic'], bytesOf('011801'), 'ERR_CBOR_NON_MINIMAL_INTEGER at byte 1'],
    [['validate'], bytesOf('0102'), 'ERR_CBOR_TRAILING_BYTES at byte 1'],
    [['canonicalize', '-s'], bytesOf('01a2010101ff'), 'ERR_CBOR_'],
    [['canonicalize', '-m', 'dag-cbor'], bytesOf('f97e00'), 'ERR_CBOR_FLOAT_NOT_ALLOWED at byte 0'],
    [['encode'], '{"a": }', 'ERR_CBOR_INVALID_JSON at byte 6'],
    [['encode', '-s'], '1\n2\n[\n', 'line 3'],
    [['encode', '-d'], '[1', 'ERR_CBOR_INVALID_DIAGNOSTIC at byte 2'],
    [['decode', '--hex'], '8g', 'ERR_CBOR_INVALID_DIGIT at byte 1: .*hex'], [['decode', '--hex'], '8# so\n1x', 'ERR_CBOR_INVALID_DIGIT at byte 7'],
    [['decode', '--hex'], '812', 'odd number'],
    [['decode', '--base64'], 'g!', 'ERR_CBOR_INVALID_DIGIT at byte 1: .*base64'],
    [['diagnose', '--max-depth', '1'], bytesOf('818100'), 'ERR_CBOR_DEPTH_EXCEEDED at byte 1'],
  ];
  for (const [args, input, expected] of rows) {
    const { status, err } = run(args, input);
    assert.equal(status, 1, args.join(' '));
    assert.match(err, new RegExp(`^wcbor: standard input: .*(${expected})`), args.join(' '));
    assert.equal(err.trim().split('\n').length, 1);
  }
  const path = file('broken.cbor', bytesOf('81'));
  assert.match(run(['decode', path]).err, new RegExp(`^wcbor: ${path}: ERR_CBOR_`));
});

test('what is whole before a fault is written', () => {
  assert.equal(run(['decode', '-s'], bytesOf('018202031c')).out, '1\n[2,3]\n');
  assert.equal(run(['diagnose', '-s'], bytesOf('01820261')).out, '1,\n[2, "" / ERR_CBOR_LENGTH_EXCEEDS_BUFFER at 3 /]\n');
  assert.equal(run(['canonicalize', '-s'], bytesOf('1801ff'), { binary: true }).out, '01');
});

test('wrong usage: exit code 2', () => {
  for (const args of [[], ['odd'], ['decode', '--odd'], ['decode', '--diagnostic'], ['decode', '-m', 'odd'], ['decode', 'a', 'b'],
    ['diagnose', '-i', 'some'], ['diagnose', '--max-depth', 'x'], ['decode', '--hex', '--base64'], ['decode', '-s', '-m', 'dag-cbor']]) {
    const { status, out, err } = run(args);
    assert.equal(status, 2, args.join(' '));
    assert.equal(out, '');
    assert.match(err, /^wcbor: .*\nwcbor --help says how it is used\.\n$/);
  }
});

test('files that cannot be read or written: exit code 3', () => {
  const missing = join(scratch, 'missing', 'file');
  assert.equal(run(['decode', missing]).status, 3);
  assert.match(run(['decode', missing]).err, new RegExp(`^wcbor: ${missing}: ENOENT`));
  assert.equal(run(['encode', '-o', missing], '1').status, 3);
  assert.equal(run(['decode', scratch]).status, 3);
});

test('help and version', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url)));
  assert.deepEqual(run(['--version']), ok(`${version}\n`));
  const general = run(['--help']).out;
  for (const name of ['encode', 'decode', 'diagnose', 'annotate', 'validate', 'canonicalize', 'bench']) {
    assert.match(general, new RegExp(`^  ${name} `, 'm'));
    const { status, out } = run([name, '--help']);
    assert.equal(status, 0);
    assert.match(out, new RegExp(`^wcbor ${name} \\[OPTIONS\\]`));
    for (const line of out.split('\n')) assert.ok(line.length <= 120, line);
    assert.equal(run(['help', name]).out, out);
  }
});

test('bench', () => {
  const { status, out } = run(['bench', fileURLToPath(new URL('short-message.json', samples))]);
  assert.equal(status, 0);
  assert.match(out, /^\d+ bytes of CBOR, \d+ of JSON\nmicroseconds +median +best\nencode +[\d.]+ +[\d.]+\ndecode +[\d.]+ +[\d.]+\nJSON\.stringify/);
});

// ---------------------------------------------------------------------------------------------------------- pipes

/** The program in a pipe that is fed as fast as it reads; resolves to its exit code, and what it wrote and took. */
function pipe(args, pieces, { stopAfter = Infinity } = {}) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  let written = 0, peak = 0, err = '';
  const watch = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peak = Math.max(peak, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024);
    } catch {
      // It has ended, or this is no Linux.
    }
  }, 50);
  child.stdout.on('data', (piece) => {
    written += piece.length;
    if (written >= stopAfter) child.stdout.destroy();
  });
  child.stderr.on('data', (piece) => (err += piece));
  child.stdin.on('error', () => {});
  (async () => {
    for (const piece of pieces()) {
      if (child.stdin.destroyed) return;
      if (await new Promise((resolve) => child.stdin.write(piece, resolve))) return;
    }
    child.stdin.end();
  })();
  return new Promise((resolve) => {
    child.on('close', (status, signal) => {
      clearInterval(watch);
      resolve({ status: status ?? signal, written, peak, err });
    });
  });
}

const records = encodeSequence(Array.from({ length: 5000 }, (_, i) => ({ id: i, name: `record ${i}`, values: [i / 4, -i, null], on: i % 2 === 0 })));
const MAX_MEMORY_NBYTES = 200e6;

/** The records again and again, cut where it comes. */
function* sequence(most) {
  for (let nbytes = 0; nbytes < most; nbytes += records.length) yield records;
}

for (const [command, most] of [['validate', 64e6], ['decode', 16e6], ['diagnose', 16e6], ['canonicalize', 16e6], ['annotate', 1e6]]) {
  test(`${command}: a long sequence through a pipe in little memory`, async (t) => {
    const { status, written, peak, err } = await pipe([command, '--sequence'], () => sequence(most));
    assert.deepEqual({ status, err }, { status: 0, err: '' });
    assert.ok(command === 'validate' ? written < 100 : written >= most, `${written} bytes`);
    t.diagnostic(`${most / 1e6} MB in, ${(written / 1e6).toFixed(0)} MB out, at most ${(peak / 1e6).toFixed(0)} MB of memory`);
    assert.ok(peak < MAX_MEMORY_NBYTES, `${peak} bytes of memory`);
  });
}

test('encode: many lines through a pipe in little memory', async () => {
  const lines = Buffer.from(Array.from({ length: 5000 }, (_, i) => `{"id": ${i}, "name": "record ${i}", "on": true}\n`).join(''));
  const { status, peak } = await pipe(['encode', '--sequence'], function* () {
    for (let nbytes = 0; nbytes < 4e6; nbytes += lines.length) yield lines;
  });
  assert.equal(status, 0);
  assert.ok(peak < MAX_MEMORY_NBYTES, `${peak} bytes of memory`);
});

test('a reader that goes away ends it quietly', async () => {
  const { status, err } = await pipe(['diagnose', '--sequence'], () => sequence(64e6), { stopAfter: 1000 });
  assert.deepEqual({ status, err }, { status: 0, err: '' });
});

test('items come out as soon as they are whole', async () => {
  const child = spawn(process.execPath, [program, 'diagnose', '-s'], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(bytesOf('8201'));
  child.stdin.write(bytesOf('0203'));
  const [first] = await new Promise((resolve) => child.stdout.once('data', (...piece) => resolve(piece)));
  assert.match(first.toString(), /^\[1, 2\]/);
  child.stdin.end();
  assert.equal(await new Promise((resolve) => child.on('close', resolve)), 0);
});

// ----------------------------------------------------------------------------------------------------- output files

test('an output file stays as it was until the result is whole', () => {
  const path = file('kept.cbor', bytesOf('bf616101ff'));
  const kept = readFileSync(path);
  const folder = readdirSync(scratch);
  for (const [args, input, status] of [
    [['encode', '-o', path], '{"a": ', 1], [['encode', '-s', '-o', path], '1\n2\n[', 1], [['decode', '-s', '-o', path], bytesOf('0102ff'), 1],
    [['canonicalize', '-o', path, join(scratch, 'missing')], '', 3], [['validate', '-o', path], bytesOf('8101ff'), 1],
    [['encode', '-m', 'odd', '-o', path], '1', 2], [['encode', '--max-depth', 'x', '-o', path], '1', 2],
  ]) {
    assert.equal(run(args, input).status, status, args.join(' '));
    assert.ok(readFileSync(path).equals(kept), args.join(' '));
    assert.deepEqual(readdirSync(scratch), folder, args.join(' '));
  }
  // The same file for input and output.
  assert.deepEqual(run(['canonicalize', path, '-o', path]), ok(''));
  assert.ok(readFileSync(path).equals(bytesOf('a1616101')));
  assert.deepEqual(run(['canonicalize', '-s', path, '-o', path]), ok(''));
  assert.ok(readFileSync(path).equals(bytesOf('a1616101')));
});

test('diagnose and annotate put what is whole before a fault in place', () => {
  const path = file('fault.txt', 'before');
  assert.equal(run(['diagnose', '-o', path], bytesOf('8201ff')).status, 1);
  assert.equal(readFileSync(path, 'utf8'), '[1, / ERR_CBOR_UNEXPECTED_BREAK at 2 /\n');
  assert.equal(run(['annotate', '-o', path], bytesOf('8201ff')).status, 1);
  assert.match(readFileSync(path, 'utf8'), /^82 +# array\(2\)\n {3}01 +# unsigned\(1\)\nff +# ERR_CBOR_UNEXPECTED_BREAK at 2/);
});

test('an output file keeps its permissions, its other names and the links to it', () => {
  const path = file('mode.cbor', '');
  chmodSync(path, 0o640);
  assert.deepEqual(run(['encode', '-o', path], '1'), ok(''));
  assert.equal(statSync(path).mode & 0o777, 0o640);
  const link = join(scratch, 'link.cbor'), other = join(scratch, 'other.cbor'), dangling = join(scratch, 'dangling.cbor');
  symlinkSync('mode.cbor', link);
  assert.deepEqual(run(['encode', '-o', link], '2'), ok(''));
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.ok(readFileSync(path).equals(bytesOf('02')));
  linkSync(path, other);
  assert.deepEqual(run(['encode', '-o', path], '3'), ok(''));
  assert.ok(readFileSync(other).equals(bytesOf('03')));
  symlinkSync('new.cbor', dangling);
  assert.deepEqual(run(['encode', '-o', dangling], '4'), ok(''));
  assert.ok(readFileSync(join(scratch, 'new.cbor')).equals(bytesOf('04')));
  assert.equal(readdirSync(scratch).filter((name) => name.startsWith('.')).length, 0);
});

test('what is no regular file is written as it is', () => {
  const piped = spawnSync('sh', ['-c', '"$0" "$1" encode --hex -o /dev/stdout | cat', process.execPath, program], { input: '[1]' });
  assert.equal(piped.stdout.toString(), '8101\n');
  assert.deepEqual(run(['encode', '-o', '/dev/null'], '[1]'), ok(''));
  const full = run(['encode', '-o', '/dev/full'], '[1]');
  assert.equal(full.status, 3);
  assert.match(full.err, /^wcbor: \/dev\/full: ENOSPC/);
});

test('a signal leaves no file behind', async () => {
  const path = file('signal.cbor', 'as it was');
  const folder = readdirSync(scratch).length;
  const child = spawn(process.execPath, [program, 'validate', '-s', '-o', path], { stdio: ['pipe', 'ignore', 'inherit'] });
  while (readdirSync(scratch).length === folder) await new Promise((resolve) => setTimeout(resolve, 10));
  child.kill('SIGTERM');
  assert.deepEqual(await new Promise((resolve) => child.on('close', (...how) => resolve(how))), [null, 'SIGTERM']);
  assert.equal(readdirSync(scratch).length, folder);
  assert.equal(readFileSync(path, 'utf8'), 'as it was');
});

// ------------------------------------------------------------------------------------------------------- text input

test('encode --diagnostic: text that is not UTF-8 is refused, and places are bytes', () => {
  const rows = [
    [Buffer.from('"\u00e9\ufffd a\xff"', 'latin1'), 'ERR_CBOR_INVALID_UTF8 at byte 1'],
    [Buffer.concat([Buffer.from('"\u00e9\ufffd\ufffd'), Buffer.of(0xff, 0x22)]), 'ERR_CBOR_INVALID_UTF8 at byte 9'],
    ['\ufeff1', 'ERR_CBOR_INVALID_DIAGNOSTIC at byte 0: .*line 1, column 1'],
    ['["\u00e9",\n "\u{1f600}" !]', 'ERR_CBOR_INVALID_DIAGNOSTIC at byte 15: .*line 2, column 7'],
  ];
  for (const [input, expected] of rows) {
    const { status, out, err } = run(['encode', '-d'], input);
    assert.deepEqual([status, out], [1, '']);
    assert.match(err, new RegExp(`standard input: ${expected}`));
  }
  assert.deepEqual(run(['encode', '-d', '--hex'], '"\ufffd"'), ok('63efbfbd\n'));
});

test('encode --sequence: a fault has its place in all of the input', () => {
  assert.match(run(['encode', '-s'], '1\n\n{"\u00e9": 1}\n[1, x]\n2').err, /ERR_CBOR_INVALID_JSON at byte 17: .*line 4, column 5$/m);
  assert.match(run(['encode', '-s'], '1\n[').err, /ERR_CBOR_INVALID_JSON at byte 3: .*ends too early, line 2, column 2$/m);
});

test('base64: either alphabet, padded or not, and nothing is lost', () => {
  const bytes = Buffer.from(encode({ text: '\u00ff\u00fe?>', bytes: Uint8Array.of(0xfb, 0xff) }));
  for (const text of [bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('base64').replace(/.{5}/g, '$&\n')]) {
    assert.deepEqual(run(['canonicalize', '-m', 'lax', '--base64'], text, { binary: true }), ok(bytes.toString('hex')));
  }
  const rows = [['gQEC!', 'INVALID_DIGIT at byte 4'], ['gQE=A', 'INVALID_DIGIT at byte 4'], ['gQEBA', 'UNEXPECTED_END at byte 5'],
    ['gQE==', 'INVALID_DIGIT at byte 5'], ['gQEB=', 'INVALID_DIGIT at byte 5'], ['gQ=E', 'INVALID_DIGIT at byte 3']];
  for (const [text, expected] of rows) assert.match(run(['decode', '--base64'], text).err, new RegExp(`ERR_CBOR_${expected}`), text);
});

test('however the input is cut, the result is the same', async () => {
  const bytes = Buffer.from('01826161fb3ff800000000000043010203f6', 'hex');
  const rows = [
    [['annotate', '-s'], bytes], [['annotate', '-s', '--hex'], Buffer.from(bytes.toString('hex'))], [['diagnose', '-s'], bytes],
    [['decode', '-s', '--base64'], Buffer.from(bytes.toString('base64url'))], [['decode', '-s', '--base64'], Buffer.from(bytes.subarray(0, 17).toString('base64'))],
    [['encode', '-s', '--hex'], Buffer.from('1\n[2, "\u00e9"]\n{}\n')],
  ];
  for (const [args, input] of rows) {
    const whole = run(args, input);
    const { status, out, err } = await new Promise((resolve) => {
      const child = spawn(process.execPath, [program, ...args], { stdio: 'pipe' });
      let out = '', err = '';
      child.stdout.on('data', (piece) => (out += piece));
      child.stderr.on('data', (piece) => (err += piece));
      child.on('close', (status) => resolve({ status, out, err }));
      (async () => {
        for (const byte of input) {
          child.stdin.write(Buffer.of(byte));
          await new Promise((resolve) => setTimeout(resolve, 3));
        }
        child.stdin.end();
      })();
    });
    assert.deepEqual({ status, out, err }, whole, args.join(' '));
  }
});

test('annotated text is read again as the bytes that it shows, broken or not', () => {
  const random = (seed) => () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
  const next = random(7);
  const inputs = [bytesOf('81'), bytesOf('8201ff00'), Buffer.alloc(1000, 0xff), Buffer.concat([bytesOf('5903e8'), Buffer.alloc(999, 0x23)]), records.subarray(0, 5000)];
  for (let i = 0; i < 12; i++) inputs.push(Buffer.from(Array.from({ length: 1 + Math.floor(next() * 300) }, () => Math.floor(next() * 256))));
  for (const input of inputs) {
    for (const flags of [[], ['-s']]) {
      const text = run(['annotate', ...flags], input).out;
      assert.equal(text.replace(/#.*/g, '').replace(/\s+/g, ''), Buffer.from(input).toString('hex'));
      assert.equal(run(['annotate', '--hex', ...flags], text).out, text);
    }
  }
});
