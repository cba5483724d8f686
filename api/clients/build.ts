// Builds the client packages for publishing: `node supervise.mjs run api/clients/build.ts FOLDER`. They have JavaScript
// and declarations in place of TypeScript, the descriptions of the interface, and the project's version and licence.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { packageClient } from '../openapi/package-client.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGES = join(ROOT, 'api/clients');
/** Packages of others in the command line. */
const BUNDLED = ['diff', 'yaml'];

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('usage: node supervise.mjs run api/clients/build.ts FOLDER\n');
  process.exit(2);
}
buildTypescript(resolve(folder, 'typescript'));
buildCommandLine(resolve(folder, 'command-line'));
buildPython(resolve(folder, 'python'));

/** A folder that `npm publish` takes. */
function buildTypescript(into: string): void {
  const sources = join(into, 'src');
  begin('typescript', into);
  cpSync(join(PACKAGES, 'typescript'), sources, { recursive: true });
  const document = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8'));
  for (const [name, text] of Object.entries(packageClient(document, { documented: true })))
    writeFileSync(join(sources, name), text);
  writeJson(join(into, 'tsconfig.json'), {
    compilerOptions: {
      ...{ target: 'ES2022', lib: ['ES2023', 'DOM', 'DOM.Iterable'], module: 'NodeNext', types: [], strict: true },
      ...{ declaration: true, rewriteRelativeImportExtensions: true, verbatimModuleSyntax: true },
      ...{ rootDir: 'src', outDir: 'dist' },
    },
    include: ['src/*.ts'],
  });
  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', into], { stdio: 'inherit' });
  rmSync(sources, { recursive: true });
  rmSync(join(into, 'tsconfig.json'));
}

/** One file, with the client and the packages that it uses in it, and their licences beside it. */
function buildCommandLine(into: string): void {
  begin('command-line', into);
  buildSync({
    entryPoints: [join(PACKAGES, 'command-line/main.ts')],
    outfile: join(into, 'dist/main.js'),
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20.3' },
    // Packages in the older form ask for modules of Node by it.
    banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
  });
  const licences = BUNDLED.map(
    (name) => `${name}\n\n${readFileSync(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8')}`,
  );
  writeFileSync(join(into, 'dist/licences.txt'), licences.join('\n\n'));
}

/** A folder that `python -m build` takes. */
function buildPython(into: string): void {
  rmSync(into, { recursive: true, force: true });
  cpSync(join(PACKAGES, 'python'), into, { recursive: true, filter: (path) => !path.includes('__pycache__') });
  cpSync(join(ROOT, 'LICENSE'), join(into, 'LICENSE'));
  const { version } = readJson(join(ROOT, 'package.json'));
  const project = join(into, 'pyproject.toml');
  writeFileSync(project, readFileSync(project, 'utf8').replace(/^version = .*$/m, `version = "${version}"`));
}

/** Its description, its words and the licence. */
function begin(name: string, into: string): void {
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const { version } = readJson(join(ROOT, 'package.json'));
  writeJson(join(into, 'package.json'), { ...readJson(join(PACKAGES, name, 'package.json')), version });
  cpSync(join(PACKAGES, name, 'README.md'), join(into, 'README.md'));
  cpSync(join(ROOT, 'LICENSE'), join(into, 'LICENSE'));
}

function readJson(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
