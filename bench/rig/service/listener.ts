// A person who listens to a call, without a browser: both sides as they arrive, the JSON texts, and a microphone.
import { WebSocket } from 'ws';
import { sendInTime } from '../../../engine/test-runs/caller/phone/in-time.ts';
import type { Rest } from './rest.ts';

const FRAME = 320;

interface Told {
  type: string;
  state?: string;
  mode?: string;
  code?: string;
  speaker?: unknown;
  text?: string;
  line?: string;
}

export class Listener {
  /** Of each 20 ms, at 16 kHz. */
  readonly heard: Array<{ caller: Int16Array; agent: Int16Array; atMs: number }> = [];
  readonly told: Told[] = [];
  closeCode: number | null = null;
  readonly id: string;
  readonly socketUrl: string;
  readonly #socket: WebSocket;
  #speech: Int16Array = new Int16Array(0);
  #stopMicrophone: () => void = () => undefined;

  private constructor({ id, socketUrl }: { id: string; socketUrl: string }, talks: boolean) {
    this.id = id;
    this.socketUrl = socketUrl;
    this.#socket = new WebSocket(socketUrl);
    this.#socket.binaryType = 'nodebuffer';
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', (code) => {
      this.closeCode = code;
    });
    this.#socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary) this.told.push(JSON.parse(data.toString()));
      else for (const frame of framesIn(data)) this.heard.push({ ...sidesOf(frame), atMs: performance.now() });
    });
    if (!talks) return;
    this.#stopMicrophone = sendInTime(() => {
      const frame = new Int16Array(FRAME);
      frame.set(this.#speech.subarray(0, FRAME));
      this.#speech = this.#speech.subarray(FRAME);
      if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(Buffer.from(frame.buffer));
    });
  }

  /** `talks` false: nothing is sent. */
  static async of(rest: Rest, callId: string, { talks = true } = {}): Promise<Listener> {
    const listener = new Listener(await rest.must('POST', `/calls/${callId}/listen`), talks);
    await rest.eventually('the listener hears the call', async () => listener.heard.length > 0);
    return listener;
  }

  /** PCM at 16 kHz. */
  say(speech: Int16Array): void {
    this.#speech = speech;
  }

  send(message: unknown): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  mode(mode: 'listen' | 'whisper' | 'take-over'): void {
    this.send({ type: 'mode', mode });
  }

  close(): void {
    this.#stopMicrophone();
    this.#socket.terminate();
  }
}

/** Caller left, agent right. */
function sidesOf(data: Buffer): { caller: Int16Array; agent: Int16Array } {
  const both = new Int16Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length));
  const caller = new Int16Array(both.length / 2);
  const agent = new Int16Array(both.length / 2);
  for (let i = 0; i < caller.length; i++) {
    caller[i] = both[2 * i] as number;
    agent[i] = both[2 * i + 1] as number;
  }
  return { caller, agent };
}

/** A message has one frame of 20 ms, or several. */
function* framesIn(data: Buffer): Iterable<Buffer> {
  const bytes = FRAME * 4;
  for (let at = 0; at + bytes <= data.length; at += bytes) yield data.subarray(at, at + bytes);
}
