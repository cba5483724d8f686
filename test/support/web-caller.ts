// A browser's side of a call, without a browser: PCM both ways over its WebSocket, which it opens again when
// the line was lost. Every call of a file is over with its test.
import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import { WebSocket } from 'ws';
import type { Call } from '../../api/dashboard/app/api-types.ts';
import { isTone } from '../../bench/rig/conversation/tones.ts';
import type { Rest } from '../../bench/rig/service/rest.ts';
import { sendInTime } from '../../engine/test-runs/caller/phone/in-time.ts';
import { rms } from '../../media/frame.ts';

/** 20 ms. */
const FRAME = 320;
export const WEB_RATE_HZ = 16_000;
const TRY_EVERY_MS = 250;

const callers: WebCaller[] = [];
afterEach(() => {
  for (const caller of callers.splice(0)) caller.vanish();
});

/** A client by docs/browser-calls.md: it joins again after every close but 1000. */
export class WebCaller {
  readonly closeCodes: number[] = [];
  readonly states: string[] = [];
  joins = 0;
  loudFrames = 0;
  quietFrames = 0;
  /** Looks at each frame that is heard. */
  onFrame: (samples: Int16Array) => void = () => undefined;
  readonly call: Call;
  readonly socketUrl: string;
  readonly #rest: Rest;
  #socket: WebSocket | null = null;
  #speech: Int16Array = new Int16Array(0);
  readonly #stopMicrophone: () => void;
  #isOver = false;

  private constructor(rest: Rest, call: Call, socketUrl: string) {
    this.#rest = rest;
    this.call = call;
    this.socketUrl = socketUrl;
    callers.push(this);
    this.#stopMicrophone = sendInTime(() => {
      const frame = new Int16Array(FRAME);
      frame.set(this.#speech.subarray(0, FRAME));
      this.#speech = this.#speech.subarray(FRAME);
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(Buffer.from(frame.buffer));
    });
    this.#join();
  }

  /** Calls the demo, and has heard its greeting. `through`: a proxy to the engine at that address; returns its own. */
  static async greeted(rest: Rest, through?: (socketUrl: string) => Promise<string>): Promise<WebCaller> {
    const [demo] = await rest.must('GET', '/campaigns');
    const { status, body } = await rest.request('POST', '/calls/web', { campaignId: demo?.id });
    assert.equal(status, 201, body.error);
    const { call, socketUrl } = body.data;
    const caller = new WebCaller(rest, call, (await through?.(socketUrl)) ?? socketUrl);
    await caller.heard('the greeting');
    return caller;
  }

  /** PCM at `WEB_RATE_HZ`. */
  say(speech: Int16Array): void {
    this.#speech = speech;
  }

  /** The agent has spoken and is silent. */
  async heard(what: string): Promise<void> {
    [this.loudFrames, this.quietFrames] = [0, 0];
    await this.#rest.eventually(what, async () => this.loudFrames > 25 && this.quietFrames > 60);
  }

  async hearsTone(hz: number): Promise<void> {
    let isHeard = false;
    this.onFrame = (samples) => {
      isHeard ||= isTone(hz, samples, WEB_RATE_HZ);
    };
    await this.#rest.eventually(`a tone of ${hz} Hz`, async () => isHeard);
  }

  async agentQuiet(): Promise<void> {
    this.quietFrames = 0;
    await this.#rest.eventually('silence', async () => this.quietFrames > 100);
  }

  hangUp(): void {
    this.#isOver = true;
    this.#stopMicrophone();
    this.#socket?.close();
  }

  /** The page is gone, and nobody says so. */
  vanish(): void {
    this.#isOver = true;
    this.#stopMicrophone();
    this.#socket?.terminate();
  }

  #join(): void {
    // A caller who has hung up would go on joining, and the process of the test would not end.
    if (this.#isOver) return;
    const socket = new WebSocket(this.socketUrl);
    this.#socket = socket;
    socket.on('open', () => this.joins++);
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary) {
        const { type, state } = JSON.parse(data.toString());
        if (type === 'state') this.states.push(state);
        return;
      }
      const samples = new Int16Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length));
      this.onFrame(samples);
      const isLoud = rms(samples) > 60;
      this.loudFrames += isLoud ? 1 : 0;
      this.quietFrames = isLoud ? 0 : this.quietFrames + 1;
    });
    socket.on('close', (code) => {
      this.closeCodes.push(code);
      if (code !== 1000) setTimeout(() => this.#join(), TRY_EVERY_MS);
    });
  }
}
