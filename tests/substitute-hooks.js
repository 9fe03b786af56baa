// Where the package asks for one of its files, it gets another.
let from, to;

/** @param {{ from: string, to: string }} data URLs */
export function initialize(data) {
  ({ from, to } = data);
}

export async function resolve(specifier, context, nextResolve) {
  const resolved = await nextResolve(specifier, context);
  return resolved.url === from ? { ...resolved, url: to } : resolved;
}
