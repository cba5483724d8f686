// Runs sipp, the SIP test tool, against the service or as its far side. Without it a test is skipped; in CI that is a
// failure.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const present = spawnSync('sipp', ['-v']).error === undefined;
/** For node:test: false to run, else a reason to skip. */
export const skipWithoutSipp: string | false = present || process.env.CI ? false : 'sipp is not installed';

export type SippResult = { exitCode: number | null; output: string; messages: string };
export type SippRun = { done: Promise<SippResult>; kill(): void };

/** `scenario`: custom XML instead of -sn. The system chooses sipp's own port unless `args` gives one. */
export const runSipp = async (args: readonly string[], scenario?: string): Promise<SippRun> => {
  const folder = await mkdtemp(join(tmpdir(), 'sipp-'));
  // Its media scenarios read their files here.
  await symlink('/usr/share/sip-tester', join(folder, 'pcap'));
  const own = scenario === undefined ? [] : ['-sf', join(folder, 'scenario.xml')];
  if (scenario !== undefined) await writeFile(join(folder, 'scenario.xml'), scenario);
  const child = spawn('sipp', [...args, ...own, '-i', '127.0.0.1', '-nostdin', '-trace_msg'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TERM: 'dumb' },
  });
  let output = '';
  const keep = (data: Buffer) => {
    output = (output + data.toString('latin1')).slice(-20_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const done = new Promise<SippResult>((resolve) => {
    child.on('close', async (exitCode) => {
      const names = (await readdir(folder)).filter((name) => name.includes('messages'));
      const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')));
      await rm(folder, { recursive: true, force: true });
      resolve({ exitCode, output, messages: texts.join('\n') });
    });
  });
  return { done, kill: () => child.kill('SIGKILL') };
};
