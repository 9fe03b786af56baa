// The benchmark documents as a user's code would write them: loops over data that is there already. Each way of writing
// gets a copy of this file of its own, so that an engine's knowledge of one way does not blur that of another.

/** A map of calls as a list of pairs, in which a value is a string or such a list again. */
function pairsOf(calls) {
  const stack = [[]];
  for (const [name, argument] of calls) {
    if (name === 'endMap') {
      const pairs = stack.pop();
      stack.at(-1).push(pairs);
    } else if (name === 'startMap') {
      stack.push([]);
    } else {
      stack.at(-1).push(argument);
    }
    if (stack.length === 1) break;
  }
  const paired = (items) => (typeof items === 'string' ? items : pairUp(items));
  const pairUp = (items) =>
    items.flatMap((key, index) => (index % 2 === 0 ? [[key, paired(items[index + 1])]] : []));
  return pairUp(stack[0][0]);
}

/** What the document `name` is written from. */
export function dataOf({ name, calls }) {
  const texts = calls.filter(([call]) => call === 'text').map(([, text]) => text);
  if (name.startsWith('Map1')) return texts.filter((_, index) => index % 2 === 1);
  return name === 'Text' ? texts : pairsOf(calls);
}

function writePairs(writer, pairs) {
  writer.writeStartMap(null);
  for (const [key, value] of pairs) {
    writer.writeTextString(key);
    if (typeof value === 'string') writer.writeTextString(value);
    else writePairs(writer, value);
  }
  writer.writeEndMap();
}

const documents = {
  Text(writer, values) {
    writer.writeStartArray(values.length);
    for (const value of values) writer.writeTextString(value);
    writer.writeEndArray();
  },
  Pairs(writer, pairs) {
    writer.writeStartMap(pairs.length);
    for (const [key, value] of pairs) {
      writer.writeTextString(key);
      writer.writeTextString(value);
    }
    writer.writeEndMap();
  },
  Map1Indef(writer, values) {
    writer.writeStartArray(values.length);
    for (const value of values) {
      writer.writeStartMap(null);
      writer.writeTextString('S');
      writer.writeTextString(value);
      writer.writeEndMap();
    }
    writer.writeEndArray();
  },
  Map1Def(writer, values) {
    writer.writeStartArray(values.length);
    for (const value of values) {
      writer.writeStartMap(1);
      writer.writeTextString('S');
      writer.writeTextString(value);
      writer.writeEndMap();
    }
    writer.writeEndArray();
  },
  Doc: writePairs,
  DocStrict: writePairs,
};

/**
 * Writes the document `times` times, each time from a reset on, and takes it out into `target`: a batched writer does
 * its work no sooner. Returns the bytes of the last.
 */
export function run(name, writer, data, target, times) {
  const write = documents[name];
  let nbytes = 0;
  for (let i = 0; i < times; i++) {
    writer.reset();
    write(writer, data);
    nbytes = writer.tryEncode(target);
  }
  return nbytes;
}
