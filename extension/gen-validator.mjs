// Writes src/validator.gen.js: ajv's standalone code for the schema of package protocol. A
// service worker may not eval, so the validators are compiled here and bundled. An argument names
// another folder to write to.
import fs from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';

const schema = JSON.parse(fs.readFileSync(new URL('../protocol/schema/protocol.json', import.meta.url), 'utf8'));
// Descriptions would double the bundle and no validator reads them.
const bare = (node) => {
  if (Array.isArray(node)) return node.map(bare);
  if (node === null || typeof node !== 'object') return node;
  const entries = Object.entries(node).filter(([key, value]) => key !== 'description' || typeof value !== 'string');
  return Object.fromEntries(entries.map(([key, value]) => [key, bare(value)]));
};
const ajv = new Ajv.default({
  code: {source: true, esm: true, lines: false},
  discriminator: true,
  strict: false,
  allErrors: false,
  unicodeRegExp: true,
  inlineRefs: false,
});
ajv.addSchema(bare(schema), 'protocol');
const exported = {frame: 'protocol', action: 'protocol#/$defs/Action', event: 'protocol#/$defs/Event'};
for (const name of Object.keys(schema.$defs)) {
  if (name.startsWith('RPC')) {
    // Of the rpc dialect the extension reads params only; its results it makes itself.
    const params = !/Result$|^RPC(Auth|Error|Page|Picture|Session|Tab)$/.test(name);
    if (params) exported[`rpc_${name}`] = `protocol#/$defs/${name}`;
  } else if (name.endsWith('Result')) exported[`result_${name}`] = `protocol#/$defs/${name}`;
}
const folder = process.argv[2] ?? new URL('src', import.meta.url).pathname;
const head = '// Generated from the schema of package protocol by gen-validator.mjs. DO NOT EDIT.\n';
const code = standalone.default(ajv, exported);
fs.writeFileSync(path.join(folder, 'validator.gen.js'), head + code + '\n');
const types = Object.keys(exported).map((name) => `export const ${name}: Validate;`);
fs.writeFileSync(
  path.join(folder, 'validator.gen.d.ts'),
  `${head}import type {ErrorObject} from 'ajv';\n\n/** Validate tells whether data fits the schema; errors holds why not, until the next call. */\nexport interface Validate {\n  (data: unknown): boolean;\n  errors?: ErrorObject[] | null;\n}\n\n${types.join('\n')}\n`,
);
