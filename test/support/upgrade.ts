// `npm run upgrade` of a running service, as an operator types it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Service } from '../../bench/rig/service/service.ts';

export async function upgrade(
  { dataDir }: Pick<Service, 'dataDir'>,
  ...args: string[]
): Promise<{ code: number; output: string }> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const child = spawn(process.execPath, ['supervise.mjs', 'upgrade', ...args], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => {
      output += data.toString();
    });
  }
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}
