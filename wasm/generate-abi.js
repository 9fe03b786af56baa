// node wasm/generate-abi.js [--check]: writes js/abi.js from wasm/abi.h and the enums of src/wcbor.h, or with --check
// exits with 1 when js/abi.js is not what they give.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const abiHeader = new URL('./abi.h', import.meta.url);
const publicHeader = new URL('../src/wcbor.h', import.meta.url);
const output = new URL('../js/abi.js', import.meta.url);

/** The enumerators of one enum, in order: [name without the prefix, number]. Numbers must count up from 0. */
function enumerators(source, enumName, prefix) {
  const body = new RegExp(`typedef enum ${enumName} \\{([^}]*)\\}`).exec(source)?.[1];
  if (body === undefined) throw new Error(`src/wcbor.h has no enum ${enumName}`);
  const found = [...body.matchAll(new RegExp(`\\b${prefix}(\\w+) = (\\d+)`, 'g'))];
  return found.map(([, name, number], index) => {
    if (Number(number) !== index) throw new Error(`${prefix}${name} is ${number}, where ${index} comes next`);
    return name;
  });
}

/** One line of abi.h as JavaScript: a definition, or undefined for anything else. */
function definition(line) {
  const [, name, value, comment] = /^#define (\w+) (\w+)\s*(?:\/\* (.*) \*\/)?$/.exec(line) ?? [];
  if (name === undefined) return undefined;
  if (!/^(0x[0-9a-f]+|\d+)$/.test(value)) throw new Error(`wasm/abi.h: ${name} is not a number`);
  return `export const ${name} = ${value};${comment ? ` // ${comment}` : ''}`;
}

/** Comments that stand on lines of their own, carried over; blocks after the include guard only. */
function translate(source) {
  const body = source.slice(source.indexOf('#define WCBOR_ABI_H'), source.lastIndexOf('#endif'));
  const lines = [];
  let inComment = false;
  for (const line of body.split('\n').slice(1)) {
    const text = line.replace(/^\s*(\/\*|\*\/|\*)? ?/, '').replace(/\s*\*\/$/, '');
    const defined = definition(line);
    if (defined !== undefined) {
      lines.push(defined);
    } else if (line.startsWith('#define')) {
      throw new Error(`wasm/abi.h: cannot read "${line}"`);
    } else if (inComment || line.startsWith('/*')) {
      if (text !== '') lines.push(`// ${text}`);
      inComment = !line.endsWith('*/');
    } else if (line === '' && lines.at(-1) !== '') {
      lines.push('');
    }
  }
  return lines.join('\n').trim();
}

export function generateAbi() {
  const wcbor = readFileSync(publicHeader, 'utf8');
  const statuses = enumerators(wcbor, 'wcbor_status', 'WCBOR_').map((name) => `  '${name}',`);
  const modes = enumerators(wcbor, 'wcbor_mode', 'WCBOR_MODE_').map((name, number) => {
    const mode = name.toLowerCase().replaceAll('_', '-');
    return `  ${mode.includes('-') ? `'${mode}'` : mode}: ${number},`;
  });
  return `// Generated from wasm/abi.h and src/wcbor.h by wasm/generate-abi.js. Change them and run it again.

${translate(readFileSync(abiHeader, 'utf8'))}

// What a call came to, by number.
export const STATUS_NAMES = [
${statuses.join('\n')}
];

// The modes' numbers.
export const MODES = {
${modes.join('\n')}
};
`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const generated = generateAbi();
  if (!process.argv.includes('--check')) {
    writeFileSync(output, generated);
  } else if (readFileSync(output, 'utf8') !== generated) {
    console.error('js/abi.js is out of date: run node wasm/generate-abi.js');
    process.exitCode = 1;
  }
}
