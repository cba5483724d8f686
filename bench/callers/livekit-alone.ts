// A third rival of the service's turn ends: LiveKit's detector alone, which hears the last 1.2 s before each pause. Its
// licence allows it inside of LiveKit Agents only, so it runs there, in a Python environment that somebody has made:
//   python3 -m venv FOLDER && FOLDER/bin/pip install livekit-agents==1.8.9
// Nothing of it is part of this repository or of the service.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { refuseOption } from '../rig/part.ts';
import type { CallerTurn } from './recordings.ts';
import { type Judged, judgeAt, type TurnEndJudge } from './smart-turn-alone.ts';

const SCRIPT = fileURLToPath(new URL('livekit-turn-ends.py', import.meta.url));

/** @param folder a Python environment with livekit-agents @throws where its detector does not answer */
export async function judgeByLiveKit(turns: readonly CallerTurn[], folder: string): Promise<Judged[]> {
  const python = join(folder, 'bin', 'python');
  if (!existsSync(python)) refuseOption(`there is no ${python}: --livekit is a Python environment with livekit-agents`);
  const child = spawn(python, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const judge: TurnEndJudge = async (samples) => {
    const pcm = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
    child.stdin.write(`${pcm.toString('base64')}\n`);
    const { value } = await answers.next();
    if (value === undefined) throw new Error(`LiveKit's detector ended: is livekit-agents in ${folder}?`);
    return Number(value);
  };
  try {
    return await judgeAt(turns, "LiveKit's detector", judge);
  } finally {
    child.kill();
  }
}
