// The conformance suite that every runtime runs: functions that throw when something is wrong.
import { decodeCases } from './cases/decode.js';
import { encodeCases } from './cases/encode.js';
import { httpCases } from './cases/http.js';
import { streamCases } from './cases/streams.js';
import { writerCases } from './cases/writer.js';

const cases = [...encodeCases, ...decodeCases, ...writerCases, ...streamCases, ...httpCases];

/**
 * Runs all cases.
 * @returns {Promise<{ passed: number, failures: string[] }>}
 */
export async function conform() {
  const failures = [];
  for (const [name, run] of cases) {
    try {
      await run();
    } catch (error) {
      failures.push(`${name}: ${error?.message ?? error}`);
    }
  }
  return { passed: cases.length - failures.length, failures };
}
