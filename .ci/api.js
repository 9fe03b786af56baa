// npm run api: writes the README's API reference, which is what the types and the comments of js/ say.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { putBetween } from './markers.js';

const README = fileURLToPath(new URL('../README.md', import.meta.url));
const CONFIG = fileURLToPath(new URL('../js/tsconfig.json', import.meta.url));
const ENTRIES = { wcbor: 'index.js', 'wcbor/http': 'http.js' };
const FORMAT = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.WriteArrowStyleSignature;

/** The reference as markdown. */
export function apiReference() {
  const { options, fileNames } = ts.parseJsonConfigFileContent(ts.readConfigFile(CONFIG, ts.sys.readFile).config, ts.sys, fileURLToPath(new URL('../js', import.meta.url)));
  const program = ts.createProgram(fileNames, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const parts = Object.entries(ENTRIES).map(([name, file]) => {
    const source = program.getSourceFiles().find(({ fileName }) => fileName.endsWith(`/js/${file}`));
    const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source));
    const values = exported.map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
    const entries = values.filter(({ flags }) => flags & ts.SymbolFlags.Value).sort((a, b) => compare(a.name, b.name)).flatMap((symbol) => entriesOf(checker, symbol));
    return `\`${name}\`:\n\n${entries.join('\n')}`;
  });
  return [...parts, `What the options are:\n\n${optionEntries(checker, program, parts.join('\n')).join('\n')}`].join('\n\n');
}

/** The types of options that the text names, and the properties of each. */
function optionEntries(checker, program, text) {
  const names = [...new Set(text.match(/\b[A-Z]\w*(?:Options|Limits)\b/g))].sort(compare);
  const types = new Map(program.getSourceFiles().filter(({ fileName }) => /\/js\/[^/]+\.js$/.test(fileName)).flatMap((file) => {
    const module = checker.getSymbolAtLocation(file);
    return module === undefined ? [] : checker.getExportsOfModule(module).map((symbol) => [symbol.name, symbol]);
  }));
  return names.flatMap((name) => {
    const properties = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(types.get(name)));
    return [`- \`${name}\``, ...properties.map((property) => `  ${line(checker, `${property.name}: ${short(checker.typeToString(checker.getNonNullableType(checker.getTypeOfSymbol(property)), undefined, FORMAT))}`, property)}`)];
  });
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** A line for the symbol, and one for each public member of a class. */
function entriesOf(checker, symbol) {
  const type = checker.getTypeOfSymbol(symbol);
  if (!(symbol.flags & ts.SymbolFlags.Class)) {
    const signatures = type.getCallSignatures();
    if (signatures.length === 0) return [line(checker, symbol.name, symbol)];
    return [line(checker, `${symbol.name}${written(checker, signatures[0])}`, symbol)];
  }
  const constructors = type.getConstructSignatures().filter(({ declaration }) => declaration?.kind === ts.SyntaxKind.Constructor);
  const [first] = constructors;
  const title = first && isInternal(first.declaration) ? symbol.name : `new ${symbol.name}${first ? written(checker, first).replace(/ => [^]*$/, '') : '()'}`;
  const statics = checker.getPropertiesOfType(type).filter((member) => isPublic(member) && member.name !== 'prototype');
  const members = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).filter((member) => isPublic(member) && member.parent === symbol);
  return [
    line(checker, title, symbol),
    ...statics.map((member) => `  ${memberLine(checker, member, `${symbol.name}.`)}`),
    ...members.map((member) => `  ${memberLine(checker, member, '.')}`),
  ];
}

const isInternal = (declaration) => ts.getJSDocTags(declaration).some(({ tagName }) => ['internal', 'private'].includes(tagName.text));

/** What begins with # or _ is no part of the API; nor is what is named by a symbol. */
const isPublic = ({ name, valueDeclaration }) => /^[a-z]\w*$/.test(name) && valueDeclaration !== undefined && !isInternal(valueDeclaration);

function memberLine(checker, member, before) {
  const type = checker.getTypeOfSymbol(member);
  const [signature] = type.getCallSignatures();
  if (signature !== undefined && member.flags & ts.SymbolFlags.Method) return line(checker, `${before}${member.name}${written(checker, signature)}`, member);
  return line(checker, `${before}${member.name}: ${short(checker.typeToString(type, undefined, FORMAT))}`, member);
}

const written = (checker, signature) => short(checker.signatureToString(signature, undefined, FORMAT));

/** A type as a reader wants it: what is bytes is called that, and what may be left out is marked once. */
function short(type) {
  return type
    .replace(/\s+/g, ' ')
    .replace(/ArrayBuffer(?:Like)? \| Uint8Array<ArrayBufferLike> \| (?:ArrayBufferView|DataView)<ArrayBufferLike>/g, 'Bytes')
    .replace(/Uint8Array<ArrayBuffer(?:Like)?>/g, 'Uint8Array')
    .replace(/"lax" \| [^;,)]*?"dcbor"/g, 'Mode')
    .replace(/(\w\?: (?:[^;,(){}]|\([^()]*\))*?) \| undefined(?=[;,)])/g, '$1')
    .replace(/(\}) \| undefined(?=[;,)])/g, '$1');
}

function line(checker, title, symbol) {
  const [sentence] = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replace(/\s+/g, ' ').split(/(?<=\.) (?=[A-Z`])/);
  return `- \`${title}\`${sentence ? `: ${sentence}` : ''}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(README, putBetween(readFileSync(README, 'utf8'), 'api', apiReference()));
