// Threads of the service hang for some time, or die during calls.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../conversation/scenario.ts';
import { writeTurnEndModel } from '../onnx/turn-end.ts';
import type { Fault } from './fault.ts';
import type { Order, Role } from './saboteur.ts';

const SABOTEUR = new URL('./saboteur.ts', import.meta.url).href;
/** Interval between deaths. */
const DEATH_EVERY_MS = 3_000;

type Act = Order['act'];

/** Hits one thread after the other during the fault. */
function threadFault(name: string, roles: readonly Role[], act: Act): Fault {
  return {
    name,
    shortMs: act === 'hang' ? 2_500 * roles.length : DEATH_EVERY_MS * roles.length,
    longMs: 15_000,
    delaysCalls: roles.includes('control'),
    // A hanging shard hears nothing; a dying one loses the last second, which is all of a short call.
    losesAudio: roles.includes('shard'),
    obstacle: () => null,
    prepare(folder) {
      const file = join(folder, 'order.json');
      let orders = 0;
      const order = (role: Role, forMs: number): void => {
        const next: Order = { id: String(++orders), role, act, forMs };
        writeFileSync(`${file}.new`, JSON.stringify(next));
        renameSync(`${file}.new`, file);
      };
      return {
        environment: {
          NODE_OPTIONS: `--import=${SABOTEUR}`,
          SABOTAGE_FILE: file,
          ...(roles.includes('turn-end') ? { TURN_END: 'smart-turn' } : {}),
        },
        ...(roles.includes('turn-end') ? { dataDir: withTurnEndModel(join(folder, 'data')) } : {}),
        async strike(_scene, forMs) {
          const eachMs = act === 'hang' ? forMs / roles.length : DEATH_EVERY_MS;
          for (let hit = 0; hit * eachMs < forMs; hit++) {
            const role = roles[hit % roles.length];
            if (role !== undefined) order(role, eachMs);
            await pause(eachMs);
          }
          expectFelt(file, roles);
        },
      };
    },
  };
}

/** @throws Error unless a thread of each role met the fault: an unnoticed fault proves nothing */
function expectFelt(file: string, roles: readonly Role[]): void {
  const felt = existsSync(`${file}.done`) ? readFileSync(`${file}.done`, 'utf8').split('\n') : [];
  const missed = roles.filter((role) => !felt.includes(role));
  if (missed.length > 0) throw new Error(`no thread has carried out what was ordered: ${missed.join(', ')}`);
}

/** Generates a model of the right shape, because the thread does not start without one. */
function withTurnEndModel(dataDir: string): string {
  writeTurnEndModel(dataDir);
  return dataDir;
}

const WORKERS: readonly Role[] = ['stt', 'tts', 'vad', 'turn-end', 'shard', 'writer'];
const verb: Record<Act, string> = { hang: 'hangs', die: 'dies' };
const one = (role: Role, act: Act): Fault => threadFault(`${role} thread ${verb[act]}`, [role], act);

export const THREAD_FAULTS: readonly Fault[] = [
  ...WORKERS.flatMap((role) => [one(role, 'hang'), one(role, 'die')]),
  one('control', 'hang'),
  one('api', 'hang'),
];

/** The same faults, each in one run of the service. */
export const THREAD_FAULTS_SHORT: readonly Fault[] = [
  threadFault('one thread after the other hangs', [...WORKERS, 'control', 'api'], 'hang'),
  threadFault('one worker after the other dies', WORKERS, 'die'),
];
