// `npm run models`: what is installed, what can be downloaded, and whether what was downloaded is whole.
import { join } from 'node:path';
import { SingleBar } from 'cli-progress';
import { knownVoices, listDownloads, listModels } from './catalogue.ts';
import { DownloadError, download, isIntact } from './download.ts';

const USAGE = `usage: npm run models -- COMMAND
  list             engines, voices and downloads, with what is installed and in use
  download NAME    fetches weights into DATA_DIR/models (resumes, checks SHA-256)
  verify           checks every downloaded file against its SHA-256`;

const modelsDir = join(process.env.DATA_DIR || './data', 'models');

async function main(command: string | undefined, name: string | undefined): Promise<number> {
  switch (command) {
    case 'list':
      return list();
    case 'download':
      return name === undefined ? usage() : fetchModel(name);
    case 'verify':
      return verify();
    case '--help':
    case '-h':
      process.stdout.write(`${USAGE}\n`);
      return 0;
    default:
      return usage();
  }
}

function list(): number {
  const { STT = 'soundswallower', TTS = 'flite', OPENAI_API_KEY, OPENAI_BASE_URL } = process.env;
  const llm = process.env.LLM || (OPENAI_API_KEY || OPENAI_BASE_URL ? 'openai' : 'receptionist');
  const inUse = new Set(['silero', STT, TTS, llm]);
  print('Engines');
  table(
    listModels(process.env).map(({ kind, name, state, realTimeFactor, description }) => [
      kind,
      name,
      inUse.has(name) ? `${state}, in use` : state,
      realTimeFactor > 0 ? `${realTimeFactor} × real time` : '',
      description,
    ]),
  );
  print('\nVoices');
  table(
    knownVoices(process.env).map(({ id, name, language, gender, engine, isDefault }) => [
      id,
      name,
      language,
      gender,
      engine,
      isDefault ? 'default' : '',
    ]),
  );
  const downloads = listDownloads(modelsDir);
  print('\nDownloads');
  if (downloads.length === 0) print('  none: the engines above carry all they need');
  else
    table(
      downloads.map(({ name, bytes, licence, installed, description }) => [
        name,
        `${(bytes / 1e6).toFixed(0)} MB`,
        licence,
        installed ? 'installed' : 'not installed',
        description,
      ]),
    );
  return 0;
}

async function fetchModel(name: string): Promise<number> {
  const downloads = listDownloads(modelsDir);
  const wanted = downloads.find((entry) => entry.name === name);
  if (!wanted) {
    const names = downloads.map((entry) => entry.name).join(', ') || 'there is none';
    process.stderr.write(`there is no download named ${name} (${names})\n`);
    return 2;
  }
  const bar = new SingleBar({
    format: `${name} [{bar}] {percentage}% {value}/{total} bytes, {eta_formatted}`,
    etaBuffer: 200,
  });
  const cancel = new AbortController();
  process.once('SIGINT', () => cancel.abort());
  bar.start(wanted.bytes, 0);
  try {
    await download(wanted, join(modelsDir, wanted.file), {
      onProgress: (bytes) => bar.update(bytes),
      signal: cancel.signal,
    });
    bar.update(wanted.bytes);
    bar.stop();
    print(`${name} is installed`);
    return 0;
  } catch (error) {
    bar.stop();
    if (!(error instanceof DownloadError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

async function verify(): Promise<number> {
  const installed = listDownloads(modelsDir).filter((entry) => entry.installed);
  if (installed.length === 0) print('nothing was downloaded: nothing to verify');
  let broken = 0;
  for (const entry of installed) {
    const whole = await isIntact(entry, join(modelsDir, entry.file));
    if (!whole) broken++;
    print(`${whole ? 'ok      ' : 'CORRUPT '} ${entry.name}`);
  }
  return broken > 0 ? 1 : 0;
}

function table(rows: readonly string[][]): void {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  for (const row of rows)
    print(
      `  ${row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd()}`,
    );
}

function usage(): number {
  process.stderr.write(`${USAGE}\n`);
  return 2;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exitCode = await main(process.argv[2], process.argv[3]);
