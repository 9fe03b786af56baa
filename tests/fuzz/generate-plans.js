// node generate-plans.js FILE: the plans of some structs as C, for fuzz_struct.c.
import { writeFileSync } from 'node:fs';
import { struct } from '../../js/struct.js';
import { Type } from '../../js/struct-fields.js';
import { PlanBuilder } from '../../js/struct-plan.js';

const place = struct({ x: 'float', y: 'float' }, { representation: 'tuple' });
const leaf = struct({ id: 'uint', name: { type: 'text', optional: true }, at: { type: place, nullable: true } });
const STRUCTS = [
  leaf,
  struct({ id: 'int', big: 'bigint', ok: 'bool', data: { type: 'bytes', maxLength: 8 }, when: 'date', link: 'cid', raw: 'deferred', any: 'any' },
    { unknown: 'error' }),
  struct({ firstName: 'text', größe: { type: 'float', optional: true }, tags: ['text'], leaves: [leaf] },
    { caseInsensitive: true, naming: 'kebab', unknown: 'keep' }),
  struct({ a: { type: 'uint', name: 1 }, b: { type: ['uint'], name: -7 }, c: { type: 'text', default: 'none' }, d: { type: place } }, { sortKeys: true }),
  struct({ list: [place], note: { type: 'text', nullable: true } }, { representation: 'tuple' }),
];

/** @param {Iterable<number>} numbers */
function rows(numbers) {
  const all = [...numbers].map((number) => `${number}u`);
  const lines = [];
  for (let i = 0; i < all.length; i += 16) lines.push(`    ${all.slice(i, i + 16).join(', ')},`);
  return lines.join('\n');
}

const parts = ['#include <stddef.h>', '#include <stdint.h>', ''];
const entries = [];
STRUCTS.forEach((one, i) => {
  const type = new Type('struct');
  type.struct = one;
  const { words, bytes } = new PlanBuilder().build(type);
  parts.push(`static const uint32_t words_${i}[] = {\n${rows(words)}\n};`, `static const uint8_t bytes_${i}[] = {\n${rows(bytes)}\n};`);
  entries.push(`    {words_${i}, ${words.length}, bytes_${i}, ${bytes.length}},`);
});
parts.push(`enum { NPLANS = ${STRUCTS.length} };`, '', 'typedef struct plan_source {\n    const uint32_t *words;\n    size_t nwords;\n    const uint8_t *bytes;\n    size_t nbytes;\n} plan_source;',
  `static const plan_source plans[NPLANS] = {\n${entries.join('\n')}\n};`, '');
writeFileSync(process.argv[2], parts.join('\n'));
