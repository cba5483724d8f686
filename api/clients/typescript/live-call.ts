// A running call in the hand: its words as they come, and what can be done to it meanwhile.
import type { CallStreamEvent } from './call-stream.ts';
import type { CallsOperations } from './operations.ts';
import type { RequestOptions } from './transport.ts';
import type { Call, CallControl } from './types.ts';

export class LiveCall {
  readonly id: string;
  readonly #calls: CallsOperations;

  constructor(calls: CallsOperations, id: string) {
    this.#calls = calls;
    this.id = id;
  }

  get(options?: RequestOptions): Promise<Call> {
    return this.#calls.get(this.id, options);
  }

  /** First what was said so far; ends with the call. */
  events(options?: RequestOptions): AsyncIterable<CallStreamEvent> {
    return this.#calls.stream(this.id, options);
  }

  /** The agent says it as it is: once both sides are silent, or `now`, in place of what it is saying. */
  say(text: string, { when = 'pause', ...options }: RequestOptions & { when?: 'pause' | 'now' } = {}) {
    return this.#control({ kind: 'say', text, when }, options);
  }

  /** Of every later request to the language model. */
  instruct(text: string, options?: RequestOptions) {
    return this.#control({ kind: 'instruct', text }, options);
  }

  /** The agent says nothing of its own, and listens. */
  mute(options?: RequestOptions) {
    return this.#control({ kind: 'mute' }, options);
  }

  unmute(options?: RequestOptions) {
    return this.#control({ kind: 'unmute' }, options);
  }

  /** Keys to the other side: `0-9 * # A-D`, `w` for half a second. */
  digits(digits: string, options?: RequestOptions) {
    return this.#control({ kind: 'digits', digits }, options);
  }

  /** To a number in E.164, or `sip:USERNAME` of a softphone of the account. */
  transfer(to: string, options?: RequestOptions) {
    return this.#control({ kind: 'transfer', to }, options);
  }

  /** Both sides of the recording are silence until it is unmasked. */
  maskRecording(options?: RequestOptions) {
    return this.#control({ kind: 'recording', recording: 'mask' }, options);
  }

  unmaskRecording(options?: RequestOptions) {
    return this.#control({ kind: 'recording', recording: 'unmask' }, options);
  }

  /** A softphone or a telephone is called, and talks in the agent's place. */
  takeOver(by: string, options?: RequestOptions) {
    return this.#control({ kind: 'take-over', by }, options);
  }

  handBack(options?: RequestOptions) {
    return this.#control({ kind: 'hand-back' }, options);
  }

  end(options?: RequestOptions): Promise<Call> {
    return this.#calls.end(this.id, options);
  }

  #control(body: Parameters<CallsOperations['control']>[1], options?: RequestOptions): Promise<CallControl> {
    return this.#calls.control(this.id, body, options);
  }
}
