// What JSON cannot say.
{
  id: 9007199254740993n,
  bytes: Uint8Array.of(1, 2, 3),
  when: new Date(1767225600000),
  tags: new Set(['a', 'b']),
  table: new Map([[1, 'one'], [-1, 'minus one']]),
  samples: Float32Array.of(0.5, 0.25),
  missing: undefined,
  link: new URL('https://example.org/'),
  pattern: /^a+$/i,
  own: new Tagged(1001, ['any', NaN]),
}
