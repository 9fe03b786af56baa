// Twelve requests to a made-up table service, from a key to a batch of items, with attribute values as such services have
// them: each value in a map of one pair that names its type.

const S = (text) => ({ S: text });
const N = (number) => ({ N: String(number) });
const BOOL = (value) => ({ BOOL: value });
const M = (attributes) => ({ M: attributes });
const L = (values) => ({ L: values });
const SS = (values) => ({ SS: values });

const CITIES = ['Lisbon', 'Zürich', 'Kraków', '大阪', 'Nairobi', 'São Paulo', 'Oslo', 'Hà Nội'];
const WORDS = 'amber basin cedar delta ember fjord grove heath inlet juniper knoll lagoon meadow north orchard prairie'.split(' ');

/** Text of `n` words, the same for the same `seed`. */
const words = (n, seed) => Array.from({ length: n }, (_, i) => WORDS[(seed * 7 + i * 5 + (i >> 3)) % WORDS.length]).join(' ');

const key = (i) => ({ pk: S(`CUSTOMER#${100_000 + i}`), sk: S(`ORDER#2026-${String(1 + (i % 12)).padStart(2, '0')}-${i}`) });

const order = (i) => ({
  ...key(i),
  total: N((i * 1.37 + 10).toFixed(2)),
  paid: BOOL(i % 3 !== 0),
  city: S(CITIES[i % CITIES.length]),
  note: S(words(6 + (i % 9), i)),
  tags: SS([WORDS[i % 16], WORDS[(i + 5) % 16]]),
  lines: L(Array.from({ length: 1 + (i % 4) }, (_, line) => M({
    sku: S(`SKU-${i * 31 + line}`), count: N(line + 1), price: N((line * 3.5 + 1).toFixed(2)), gift: { NULL: true },
  }))),
});

const profile = (i) => ({
  ...key(i),
  name: S(words(2, i)),
  email: S(`user${i}@example.org`),
  address: M({ street: S(words(3, i)), city: S(CITIES[i % CITIES.length]), zip: S(String(10_000 + i)), floor: N(i % 9) }),
  settings: M({ theme: S('dark'), mail: BOOL(true), limits: M({ daily: N(100), weekly: N(500) }), locales: L([S('de-CH'), S('pt-PT')]) }),
  visits: N(i * 17),
});

const batch = (n, make) => Array.from({ length: n }, (_, i) => make(i));

/** [name, operation, input] */
export const requests = [
  ['get, one key', 'GetItem', { TableName: 'orders', Key: key(1) }],
  ['get, with a projection', 'GetItem', {
    TableName: 'orders', Key: key(2), ProjectionExpression: '#t, paid, city', ExpressionAttributeNames: { '#t': 'total' }, ConsistentRead: true,
  }],
  ['delete, conditional', 'DeleteItem', {
    TableName: 'orders', Key: key(3), ConditionExpression: 'paid = :paid', ExpressionAttributeValues: { ':paid': BOOL(false) }, ReturnValues: 'ALL_OLD',
  }],
  ['put, small item', 'PutItem', { TableName: 'orders', Item: { ...key(4), total: N(12.5), paid: BOOL(true) } }],
  ['put, order', 'PutItem', { TableName: 'orders', Item: order(7), ReturnConsumedCapacity: 'TOTAL' }],
  ['put, nested profile', 'PutItem', { TableName: 'profiles', Item: profile(8), ConditionExpression: 'attribute_not_exists(pk)' }],
  ['update, expression', 'UpdateItem', {
    TableName: 'orders', Key: key(9), UpdateExpression: 'SET #n = :n, visits = visits + :one REMOVE gift ADD tags :tags',
    ExpressionAttributeNames: { '#n': 'note' }, ExpressionAttributeValues: { ':n': S(words(12, 9)), ':one': N(1), ':tags': SS(['north', 'delta']) },
  }],
  ['query, filter', 'Query', {
    TableName: 'orders', IndexName: 'by-city', Limit: 50, ScanIndexForward: false, KeyConditionExpression: 'city = :c AND sk BETWEEN :a AND :b',
    FilterExpression: 'total > :t', ExpressionAttributeValues: { ':c': S('Zürich'), ':a': S('ORDER#2026-01'), ':b': S('ORDER#2026-06'), ':t': N(100) },
    ExclusiveStartKey: { ...key(10), city: S('Zürich') },
  }],
  ['batch get, 25 keys', 'BatchGetItem', { RequestItems: { orders: { Keys: batch(25, key), ConsistentRead: false } } }],
  ['batch write, 25 orders', 'BatchWriteItem', { RequestItems: { orders: batch(25, (i) => ({ PutRequest: { Item: order(i) } })) } }],
  ['transaction, 40 profiles', 'TransactWriteItems', {
    ClientRequestToken: '6f1c7c9e-2f6b-4f6e-8a37-5d1f4e0f3b11', TransactItems: batch(40, (i) => ({ Put: { TableName: 'profiles', Item: profile(i) } })),
  }],
  ['put, 100 KB item', 'PutItem', {
    TableName: 'logs', Item: { ...key(12), lines: L(batch(1200, (i) => M({ at: N(1_790_000_000 + i), level: S(i % 7 ? 'info' : 'warn'), text: S(words(5, i)) }))) },
  }],
];
