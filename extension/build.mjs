// Builds the unpacked extension into dist/: bundles, pages, icons, manifest. No watch mode: a build takes
// well under a second.
import {createHash} from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {build} from 'esbuild';

const root = import.meta.dirname;
const src = path.join(root, 'src');
const finished = path.join(root, 'dist');
// Built aside and put in place at once: a browser or a Go build that looks meanwhile finds a whole extension.
const dist = fs.mkdtempSync(path.join(root, 'node_modules', '.dist-'));
process.on('exit', () => {
  fs.rmSync(dist, {recursive: true, force: true});
});
const version = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).version;

const shared = {
  bundle: true,
  minify: true,
  // The licences of what is bundled must stay.
  legalComments: 'eof',
  target: 'chrome126',
  charset: 'utf8',
  logLevel: 'warning',
};

// The worker is a module; what is injected into pages and loaded by our own pages is a plain script. Its name is made of what is in
// it, and the worker speaks to no other: an updated extension finds the scripts of the one before in the open pages.
const unnamed = 'page.js without its name';
const page = await build({
  ...shared,
  entryPoints: [path.join(src, 'page/main.ts')],
  format: 'iife',
  define: {PAGE_BUILD: JSON.stringify(unnamed)},
  write: false,
});
const {text} = page.outputFiles[0];
const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
if (!text.includes(unnamed)) throw new Error('page.js has no place for its name');
fs.writeFileSync(path.join(dist, 'page.js'), text.replaceAll(unnamed, name));
await build({
  ...shared,
  entryPoints: [path.join(src, 'worker/main.ts')],
  format: 'esm',
  define: {PAGE_BUILD: JSON.stringify(name)},
  outfile: path.join(dist, 'worker.js'),
});

for (const page of ['popup', 'welcome', 'cover', 'waker']) {
  const folder = path.join(src, page);
  await build({
    ...shared,
    entryPoints: [path.join(folder, `${page}.ts`)],
    format: 'iife',
    outfile: path.join(dist, `${page}.js`),
  });
  // Style sheets import each other across folders; bundled, each page has one.
  const sheet = path.join(folder, `${page}.css`);
  if (fs.existsSync(sheet)) await build({...shared, entryPoints: [sheet], outfile: path.join(dist, `${page}.css`)});
  for (const name of fs.readdirSync(folder)) {
    if (/\.(html|svg)$/.test(name)) copyOnce(path.join(folder, name), path.join(dist, name));
  }
}

fs.cpSync(path.join(root, 'icons'), path.join(dist, 'icons'), {
  recursive: true,
  filter: (file) => !path.extname(file) || file.endsWith('.png'),
});

const manifest = JSON.parse(fs.readFileSync(path.join(root, 'manifest.json'), 'utf8'));
for (const icon of Object.values(manifest.icons)) {
  if (!fs.existsSync(path.join(dist, icon))) throw new Error(`the manifest names ${icon}, which is not there`);
}
fs.writeFileSync(path.join(dist, 'manifest.json'), `${JSON.stringify({...manifest, version}, null, 2)}\n`);

fs.chmodSync(dist, 0o755);
fs.rmSync(finished, {recursive: true, force: true});
fs.renameSync(dist, finished);

// Pages share one folder in dist: two files of one name would be one of them, at random.
function copyOnce(from, to) {
  if (fs.existsSync(to)) throw new Error(`${path.basename(to)} stands in two page folders: rename one`);
  fs.copyFileSync(from, to);
}
