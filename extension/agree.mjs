// Judges documents as the extension does, for the test that holds the server's decoder against
// it: reads a JSON array of [validator, text] from stdin, writes an array of "" or the reason.
import fs from 'node:fs';
import {buildSync} from 'esbuild';

const bundle = buildSync({
  stdin: {
    contents: "export {parseStrict} from './src/strictjson'; export * as validators from './src/validator.gen.js';",
    resolveDir: import.meta.dirname,
  },
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  write: false,
});
const code = Buffer.from(bundle.outputFiles[0].contents).toString('base64');
const {parseStrict, validators} = await import(`data:text/javascript;base64,${code}`);
const verdicts = JSON.parse(fs.readFileSync(0, 'utf8')).map(([name, text]) => {
  try {
    const validate = validators[name];
    if (validate(parseStrict(text))) return '';
    return validate.errors.map((e) => `${e.instancePath} ${e.message}`).join('; ');
  } catch (e) {
    return String(e.message);
  }
});
process.stdout.write(JSON.stringify(verdicts));
