// A peer's process as a contender that can be called.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { unreachable } from '../../db/domain/unexpected.ts';
import type { PhoneEvent } from '../../engine/test-runs/caller/phone/phone-call.ts';
import type { CallDialog } from '../../engine/test-runs/caller/sip.ts';
import type { PeerReply, PeerRequest } from './messages.ts';
import type { Setting } from './settings.ts';

const PROCESS = fileURLToPath(new URL('./livekit-process.ts', import.meta.url));
const READY_TIMEOUT_MS = 60_000;

export class Peer {
  readonly #child: ChildProcess;
  readonly #listeners = new Map<string, (event: PhoneEvent) => void>();
  readonly #turns = new Map<string, string[]>();

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (reply: PeerReply) => this.#receive(reply));
    child.on('exit', () => {
      for (const listen of this.#listeners.values())
        listen({ type: 'ended', by: 'remote', status: 500, reason: 'the peer ended' });
    });
  }

  /** `environment` names its model and voice, PEER_LLM and PEER_TTS, with their settings. */
  static async start(setting: Setting, greeting: string, environment: Record<string, string>): Promise<Peer> {
    const child = fork(PROCESS, [setting, greeting], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await new Promise<void>((resolve, reject) => {
      const limit = setTimeout(() => reject(new Error('the peer did not start in time')), READY_TIMEOUT_MS);
      child.once('message', () => {
        clearTimeout(limit);
        resolve();
      });
      child.once('exit', (code) => reject(new Error(`the peer ended with ${code} before it was ready`)));
    });
    return new Peer(child);
  }

  /** The signalling of a call by this number. */
  dialog(number: string, rtpPort: number, onEvent: (event: PhoneEvent) => void): CallDialog {
    return {
      invite: async () => {
        this.#listeners.set(number, onEvent);
        this.#ask({ type: 'open', number, callerPort: rtpPort });
      },
      hangUp: () => this.#ask({ type: 'close', number }),
      close: () => this.#listeners.delete(number),
    };
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The text that the peer understood in an ended call, one a turn. */
  turnsOf(number: string): readonly string[] {
    return this.#turns.get(number) ?? [];
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const exited = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await exited;
  }

  #ask(request: PeerRequest): void {
    if (this.#child.connected) this.#child.send(request);
  }

  #receive(reply: PeerReply): void {
    switch (reply.type) {
      case 'ready':
        return;
      case 'opened':
        this.#listeners.get(reply.number)?.({
          type: 'answered',
          address: '127.0.0.1',
          port: reply.port,
          payloadType: 0,
          eventPayloadType: null,
        });
        return;
      case 'closed':
        this.#turns.set(reply.number, reply.turns);
        this.#listeners.get(reply.number)?.({ type: 'ended', by: 'local', status: 200, reason: 'OK' });
        return;
      case 'failed':
        this.#listeners.get(reply.number)?.({ type: 'ended', by: 'remote', status: 500, reason: reply.message });
        return;
      default:
        unreachable(reply);
    }
  }
}
