// What `wcbor --help` says: everything once, and more for each command.

const COMMON = `
  -o, --output FILE   where the result goes instead of standard output. A file is put in place when the result is whole:
                      until then, and after an error, it is what it was
      --max-depth N   how deep arrays and maps may nest (1000)
  -h, --help          this text
FILE is a path, or - for standard input, which is what is read without one.`;

const CBOR_INPUT = `
  -s, --sequence      any number of items one after the other (RFC 8742), each dealt with as it comes, so that
                      memory stays small however long the input is; an item itself is held whole
      --hex           the input is hex digits; blanks and what follows a # do not count, so that the output of
                      annotate can be read again
      --base64        the input is base64 or base64url, padded or not`;

const MODES = 'lax, strict, canonical, ctap2, deterministic, dag-cbor, dcbor';

export const GENERAL = `wcbor - CBOR (RFC 8949) on the command line

usage: wcbor COMMAND [OPTIONS] [FILE]

  encode        JSON, or diagnostic notation, to CBOR
  decode        CBOR to JSON
  diagnose      CBOR to diagnostic notation, with the place of what is wrong
  annotate      CBOR to hex with a comment for each item
  validate      is it well-formed, and does it keep to the rules of a mode?
  canonicalize  CBOR to CBOR in the form of a mode: sorted, shortest, definite
  bench         how long encoding and decoding a file takes, against JSON

wcbor COMMAND --help says what a command takes; wcbor --version which version this is.

Everything reads standard input and writes standard output unless it is told otherwise:

  echo '{"a": [1, 2.5]}' | wcbor encode | wcbor annotate
  curl -s https://example.org/items.cbor | wcbor decode --pretty
  wcbor diagnose --hex - <<< 'a1 61 61 82 01 02'
  wcbor canonicalize --mode dcbor a.cbor -o b.cbor

Exit codes: 0 done, 1 the data is not valid (standard error says which rule is broken and at which byte),
2 wrong usage, 3 a file cannot be read or written.`;

/** @type {Record<string, string>} */
export const COMMANDS = {
  encode: `wcbor encode [OPTIONS] [FILE] - JSON (RFC 8259) to CBOR

  -m, --mode MODE     the form to write (lax):
                      ${MODES}
  -s, --sequence      one JSON text on each line (NDJSON; also RFC 7464): items one after the other
  -d, --diagnostic    the input is diagnostic notation, encoded as its encoding indicators say, or with --mode in
                      that mode's form
      --hex           hex digits instead of bytes, one line for each item${COMMON}

  echo '[1, "two", 3.5]' | wcbor encode --hex
  wcbor encode --sequence events.ndjson -o events.cbor
  echo "{_ 1: h'ff', 2: 1.5_3}" | wcbor encode --diagnostic --hex`,
  decode: `wcbor decode [OPTIONS] [FILE] - CBOR to JSON (RFC 8949, section 6.1)

  -p, --pretty        indented, instead of one line for each item
  -m, --mode MODE     the rules that the input must keep to (strict):
                      ${MODES}${CBOR_INPUT}${COMMON}

Byte strings and bignums become base64url text; a map key that is no text becomes the string that its JSON would be.

  wcbor decode --pretty message.cbor
  wcbor decode --sequence events.cbor | jq .level`,
  diagnose: `wcbor diagnose [OPTIONS] [FILE] - CBOR to diagnostic notation (RFC 8949, section 8; RFC 8610, appendix G)

  -p, --pretty        one item to a line, indented
  -e, --embedded      what tags 24 and 63 stand on is shown as <<items>>
  -i, --indicators X  encoding indicators: auto (where an encoding is not the preferred one), always or never${CBOR_INPUT}${COMMON}

Broken bytes give everything up to the fault, and the fault in a comment, also with --output; the exit code is then 1.
Text that is not UTF-8 is a fault, and so are simple values below 32 in two bytes. What is whole can be read again:
wcbor diagnose x | wcbor encode --diagnostic gives the bytes of x.

  wcbor diagnose --pretty attestation.cbor
  wcbor diagnose --hex - <<< 'd818 43 820102' --embedded`,
  annotate: `wcbor annotate [OPTIONS] [FILE] - CBOR to hex on the left and what it means on the right

  -e, --embedded      items in the strings of tags 24 and 63 are taken apart too${CBOR_INPUT}${COMMON}

What is not well-formed gives everything up to the fault, and the bytes from there on (of a sequence, as far as they are
read), also with --output; the exit code is then 1. Text that is not UTF-8 is well-formed, and shown with U+FFFD in it:
validate says whether it is valid.

  echo '{"a": 1}' | wcbor encode | wcbor annotate`,
  validate: `wcbor validate [OPTIONS] [FILE] - is it CBOR, and by the rules of a mode?

  -m, --mode MODE     the rules (strict): ${MODES}
  -q, --quiet         nothing on standard output: only the exit code${CBOR_INPUT}${COMMON}

  wcbor validate --mode ctap2 response.cbor && echo fine`,
  canonicalize: `wcbor canonicalize [OPTIONS] [FILE] - CBOR to CBOR in the form of a mode

  -m, --mode MODE     the form to write (deterministic):
                      ${MODES}${CBOR_INPUT}${COMMON}

Heads get short, floats and bignums preferred, lengths definite, maps sorted, as far as the mode asks for it. What has
no form in the mode is an error: the same key twice, tags in ctap2, floats without a number in dag-cbor.

  wcbor canonicalize --mode dag-cbor block.cbor -o block.dag.cbor`,
  bench: `wcbor bench [OPTIONS] [FILE] - how long it takes to encode and decode a document, against JSON

  -j, --json          the input is JSON (also if the name ends in .json)
      --hex           the input is hex digits${COMMON}

Each is run for half a second in turns of equal length; the numbers are the median and the best time for one document.

  wcbor bench message.cbor`,
};
