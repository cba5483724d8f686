// Listeners to this engine's calls: who may, what they are told, and when they have to go. Their sockets are at the
// door (shard/door/listening-rooms.ts), whichever shard has the call. A token, and the socket that it opened, lives as
// long as the credential that asked for it.
import type { Logger } from 'pino';
import { CONTROL_MESSAGES, type ControlAnswer } from '../../db/domain/calls/control.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { Credential } from '../../db/rules/live-credential.ts';
import type { Writer } from '../../db/writing/writer.ts';
import { REFUSED } from '../../media/socket/audio-socket.ts';
import type { CallListeners } from '../call/context.ts';
import type { Clock } from '../clock.ts';
import { createListenRing } from '../shard/door/listen-tap.ts';
import type { DoorCommand, ListenerEvent, ListenerMode } from '../shard/protocol.ts';
import type { Shards } from '../shard/shards.ts';

/** Each costs the door's thread a copy of 64 KB a second. No account takes the places of all others. */
const PER_CALL_MAX = 32;
const PER_ACCOUNT_MAX = 64;
const MAX = 256;
/** Where no change of the database told that a credential has ended. */
const CHECK_EVERY_MS = 10_000;

export interface ListenedCall {
  accountId: string;
  businessId: string;
  isAnswered: boolean;
  /** The first messages to a listener who comes. */
  soFar(): object[];
  switchTo(listenerId: string, mode: ListenerMode): Promise<ControlAnswer>;
  /** Their socket is closed. */
  listenerGone(listenerId: string): void;
  /** Somebody begins to listen, and nobody did. */
  firstListens(): void;
}

interface ListenersOptions {
  atDoor(command: DoorCommand): void;
  shards: Pick<Shards, 'send'>;
  writer: Pick<Writer, 'run'>;
  isLive(credential: Credential): Promise<boolean>;
  call(callId: string): ListenedCall | null;
  clock: Clock;
  log: Logger;
}

interface Listener {
  id: string;
  callId: string;
  credential: Credential;
  isJoined: boolean;
  microphone: SharedArrayBuffer | null;
  mode: ListenerMode;
}

export class Listeners implements CallListeners {
  readonly #options: ListenersOptions;
  readonly #listeners = new Map<string, Listener>();
  /** The ring of each call that is listened to. */
  readonly #taps = new Map<string, SharedArrayBuffer>();
  /** Calls whose caller was told. */
  readonly #noticed = new Set<string>();
  #cancelCheck: (() => void) | null = null;

  constructor(options: ListenersOptions) {
    this.#options = options;
  }

  /** Somebody may come with the token for a minute. @returns why not, or null */
  admit(wish: {
    callId: string;
    listenerId: string;
    /** SHA-256 in hex. */
    tokenHash: string;
    credential: Credential;
  }): 'CALL_ENDED' | 'CALL_NOT_ANSWERED' | 'LISTENERS_FULL' | null {
    const { callId, listenerId, tokenHash, credential } = wish;
    const call = this.#options.call(callId);
    if (call === null || call.accountId !== credential.accountId) return 'CALL_ENDED';
    if (!call.isAnswered) return 'CALL_NOT_ANSWERED';
    const ofAccount = [...this.#listeners.values()].filter((other) => other.credential.accountId === call.accountId);
    const ofCall = ofAccount.filter((other) => other.callId === callId);
    const isFull = ofCall.length >= PER_CALL_MAX || ofAccount.length >= PER_ACCOUNT_MAX;
    if (isFull || this.#listeners.size >= MAX) return 'LISTENERS_FULL';
    const memory = this.#taps.get(callId) ?? createListenRing();
    if (!this.#taps.has(callId)) {
      this.#taps.set(callId, memory);
      this.#options.shards.send({ type: 'tap', callId, memory });
    }
    const listener = { id: listenerId, callId, credential, isJoined: false, microphone: null, mode: 'listen' } as const;
    this.#listeners.set(listenerId, { ...listener });
    this.#options.atDoor({ type: 'expect-listener', of: callId, listenerId, tokenHash, memory });
    this.#cancelCheck ??= this.#options.clock.after(CHECK_EVERY_MS, () => this.#checkAgain());
    return null;
  }

  has(callId: string, listenerId: string, userId: string): boolean {
    const listener = this.#listeners.get(listenerId);
    return listener?.callId === callId && listener.credential.userId === userId && listener.isJoined;
  }

  hear(listenerId: string, memory: SharedArrayBuffer | null): void {
    const listener = this.#listeners.get(listenerId);
    if (!listener) return;
    listener.microphone = memory;
    this.#options.atDoor({ type: 'take-microphone', listenerId, memory, hearsSelf: true });
  }

  talks(listenerId: string, isTalking: boolean): void {
    const listener = this.#listeners.get(listenerId);
    if (!listener) return;
    const { microphone: memory } = listener;
    this.#options.atDoor({ type: 'take-microphone', listenerId, memory, hearsSelf: !isTalking });
    this.#isNow(listener, isTalking ? 'take-over' : 'whisper');
  }

  quiet(listenerId: string): void {
    const listener = this.#listeners.get(listenerId);
    if (!listener) return;
    this.hear(listenerId, null);
    this.#isNow(listener, 'listen');
  }

  /** By themselves, or by a request of theirs, or because the call was handed back. */
  #isNow(listener: Listener, mode: ListenerMode): void {
    if (listener.mode === mode) return;
    listener.mode = mode;
    this.#answer(listener, { type: 'mode', mode });
  }

  tell(callId: string, message: object): void {
    if (!this.#taps.has(callId)) return;
    this.#options.atDoor({ type: 'tell-listeners', of: callId, listenerId: null, text: JSON.stringify(message) });
  }

  ended(callId: string): void {
    this.#noticed.delete(callId);
    if (!this.#taps.delete(callId)) return;
    this.#options.atDoor({ type: 'end-listening', of: callId });
  }

  onEvent(event: ListenerEvent | { type: 'listeners-lost' }): void {
    if (event.type === 'listeners-lost') {
      for (const listener of [...this.#listeners.values()]) this.#gone(listener);
      return;
    }
    const listener = this.#listeners.get(event.listenerId);
    if (!listener) return;
    switch (event.type) {
      case 'listener-joined':
        return this.#joined(listener);
      case 'listener-gone':
        return this.#gone(listener);
      case 'listener-asks':
        void this.#switch(listener, event.mode);
    }
  }

  /** Sends away listeners who may no longer listen. To be called at every change of credentials. */
  async check(): Promise<void> {
    for (const listener of [...this.#listeners.values()]) {
      if (await this.#options.isLive(listener.credential)) continue;
      const { id: listenerId } = listener;
      this.#options.atDoor({ type: 'end-listener', listenerId, code: REFUSED, reason: 'the session has ended' });
    }
  }

  #checkAgain(): void {
    const { clock, log } = this.#options;
    this.#cancelCheck = null;
    if (this.#listeners.size === 0) return;
    this.check()
      .catch((error: unknown) => log.warn({ error: messageOf(error) }, 'could not check who listens'))
      .finally(() => {
        this.#cancelCheck ??= clock.after(CHECK_EVERY_MS, () => this.#checkAgain());
      });
  }

  #joined(listener: Listener): void {
    listener.isJoined = true;
    const { callId } = listener;
    const call = this.#options.call(callId);
    for (const message of call?.soFar() ?? []) this.#answer(listener, message);
    if (call === null || this.#noticed.has(callId)) return;
    this.#noticed.add(callId);
    call.firstListens();
  }

  #gone(listener: Listener): void {
    const { callId, id } = listener;
    this.#listeners.delete(id);
    this.#options.call(callId)?.listenerGone(id);
    if ([...this.#listeners.values()].some((other) => other.callId === callId)) return;
    if (this.#taps.delete(callId)) this.#options.shards.send({ type: 'tap', callId, memory: null });
  }

  async #switch(listener: Listener, mode: ListenerMode): Promise<void> {
    const call = this.#options.call(listener.callId);
    const before = listener.mode;
    const answer: ControlAnswer = call ? await call.switchTo(listener.id, mode) : { refused: 'CALL_ENDED' };
    if ('refused' in answer) {
      const { refused: code } = answer;
      return this.#answer(listener, { type: 'refused', mode, code, message: CONTROL_MESSAGES[code] });
    }
    if (call && mode !== before) this.#audit(listener, call.businessId, mode);
    if (mode === before) this.#answer(listener, { type: 'mode', mode });
    else this.#isNow(listener, mode);
  }

  #audit({ callId, credential }: Listener, businessId: string, mode: ListenerMode): void {
    const { writer, clock, log } = this.#options;
    const { accountId, userId } = credential;
    const control = mode === 'listen' ? 'hand-back' : mode;
    const entry = { accountId, businessId, callId, actor: userId, control, nowMs: clock.nowMs() };
    writer.run('auditControl', entry).catch((error: unknown) => {
      log.error({ error: messageOf(error), callId }, 'the audit log has no entry of a control');
    });
  }

  #answer({ callId, id }: Listener, message: object): void {
    this.#options.atDoor({ type: 'tell-listeners', of: callId, listenerId: id, text: JSON.stringify(message) });
  }
}
