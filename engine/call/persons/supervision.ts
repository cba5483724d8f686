// Performs the effects of supervision-machine.ts: the audio of the one who speaks beside the agent, which is a call of
// its own in the caller's shard; their telephone; and what their words are for. After an engine's death nobody of them
// is there any more: the next engine ends the stored dialog of a telephone (engine/succession/taken-transfer.ts).
import type { Logger } from 'pino';
import type { ControlAnswer, ControlRefusal } from '../../../db/domain/calls/control.ts';
import { unreachable } from '../../../db/domain/unexpected.ts';
import { sharedClockMs } from '../../../db/shared/process/shared-clock.ts';
import { createMicrophoneRing } from '../../../media/socket/ring-transport.ts';
import type { ShardEvent } from '../../shard/protocol.ts';
import type { LocalAudio } from '../../sip/telephony.ts';
import type { ConductorDeps, ConductorOptions } from '../context.ts';
import type { CallWrites } from '../writes.ts';
import { type AudioEntrance, audioEntrance } from './audio-entrance.ts';
import { lineOpening } from './line-opening.ts';
import { PersonCall } from './person-call.ts';
import { type AgentParts, fallSilent, personSaid, speakAgain } from './person-speaks.ts';
import {
  isSame,
  NOBODY,
  obstacleTo,
  type SupervisionEffect,
  type SupervisionEvent,
  type SupervisionState,
  type Supervisor,
  stepSupervision,
  type Wants,
} from './supervision-machine.ts';

const PHONE_RATE_HZ = 8_000;
const SOCKET_RATE_HZ = 16_000;

/** In the shard, their audio is a call of its own. */
const supervisorIdOf = (callId: string): string => `${callId}:supervisor`;

export interface SupervisionOptions extends AgentParts {
  deps: ConductorDeps;
  options: ConductorOptions;
  writes: CallWrites;
  log: Logger;
  /** Zero of the call's clock by the clock that threads share; null before the answer. */
  beganAtSharedMs(): number | null;
  /** Of the person to whom the caller was put through, and who may be whispered to; null: there is none. */
  personAudioId(): string | null;
  guard(action: () => void): void;
  /** The person has answered the caller. */
  onTalked(): void;
  /** The speaker has changed. */
  changed(): void;
}

export class Supervision {
  readonly #of: SupervisionOptions;
  readonly #id: string;
  #state: SupervisionState = NOBODY;
  /** To the telephone of the one who comes, or is there. */
  #phone: PersonCall | null = null;
  #entrance: AudioEntrance | null = null;
  #beganAtSharedMs = 0;
  /** Whose microphone is open. */
  #listenerId: string | null = null;
  #isLeft = false;
  /** Requests that wait for an answer. */
  #waiting: Array<(answer: ControlAnswer) => void> = [];
  #detail: string | undefined;

  constructor(of: SupervisionOptions) {
    this.#of = of;
    this.#id = supervisorIdOf(of.options.call.id);
  }

  get state(): SupervisionState {
    return this.#state;
  }

  ask(who: Supervisor, wants: Wants): Promise<ControlAnswer> {
    const obstacle = obstacleTo(this.#state, who);
    if (obstacle !== null) return Promise.resolve({ refused: obstacle });
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#step({ type: 'asked', who, wants });
    });
  }

  /** `who` absent: whoever it is. False if they do not speak. */
  handBack(who?: Supervisor): boolean {
    if (this.#state.phase === 'none' || (who && !isSame(this.#state.who, who))) return false;
    this.#step({ type: 'handed-back' });
    return true;
  }

  /** A listener's socket is closed. */
  listenerGone(listenerId: string): void {
    if (this.#state.phase === 'none') return;
    if (isSame(this.#state.who, { by: 'socket', listenerId })) this.#step({ type: 'gone' });
  }

  /** The caller is with a person from now on: whoever whispered to the agent whispers to them. */
  personJoined(audioId: string): void {
    if (this.#state.phase === 'whispering') this.#whisperTo(audioId);
  }

  close(): void {
    this.#step({ type: 'call-over' });
    this.#answer({ refused: 'CALL_ENDED' });
  }

  /** Another process has the call. */
  leave(): void {
    this.#isLeft = true;
    this.#phone?.leave();
    this.#answer({ refused: 'CALL_ENDED' });
  }

  #step(event: SupervisionEvent): void {
    if (this.#isLeft) return;
    this.#of.guard(() => {
      const before = this.#state;
      const [state, effects] = stepSupervision(before, event);
      this.#state = state;
      for (const effect of effects) this.#perform(effect);
      if (state.phase !== before.phase) this.#of.changed();
    });
  }

  #perform(effect: SupervisionEffect): void {
    const { deps } = this.#of;
    switch (effect.type) {
      case 'open-audio':
        return this.#open(effect.who);
      case 'dial':
        void this.#dial(effect.target, effect.audio);
        return;
      case 'connect':
        deps.shards.send({ type: 'connect', callId: this.#id, audio: effect.audio });
        return;
      case 'hear':
        return this.#hear();
      case 'take':
        return this.#take();
      case 'give-back':
        return this.#giveBack();
      case 'hang-up':
        return this.#phone?.hangUp();
      case 'close-audio':
        return this.#closeAudio();
      case 'answer':
        return this.#answer({ state: effect.state });
      case 'refuse':
        return this.#refuse(effect.code);
      default:
        return unreachable(effect);
    }
  }

  #closeAudio(): void {
    const { deps } = this.#of;
    if (this.#listenerId !== null) deps.listeners?.quiet(this.#listenerId);
    this.#listenerId = null;
    deps.shards.send({ type: 'close', callId: this.#id });
  }

  #open(who: Supervisor): void {
    const { deps, options } = this.#of;
    const { setup, call } = options;
    const isPhone = who.by === 'phone';
    const sampleRateHz = isPhone ? PHONE_RATE_HZ : SOCKET_RATE_HZ;
    this.#entrance = isPhone ? audioEntrance(deps.telephony, { callId: this.#id, sampleRateHz }) : null;
    const memory = isPhone ? null : createMicrophoneRing();
    if (who.by === 'socket' && memory !== null) {
      this.#listenerId = who.listenerId;
      deps.listeners?.hear(who.listenerId, memory);
    }
    deps.shards.open(
      {
        type: 'open',
        callId: this.#id,
        sampleRateHz,
        transport: memory === null ? (this.#entrance?.transport ?? { kind: 'rtp' }) : { kind: 'ring', memory },
        ...lineOpening(deps, setup),
        recordingPath: null,
      },
      (event) => this.#onShardEvent(event),
      call.id,
    );
  }

  #hear(): void {
    const { deps, personAudioId } = this.#of;
    this.#beganAtSharedMs = sharedClockMs();
    deps.shards.send({ type: 'answered', callId: this.#id });
    const audioId = personAudioId();
    if (audioId !== null) this.#whisperTo(audioId);
  }

  #whisperTo(audioId: string): void {
    const { shards } = this.#of.deps;
    if (shards.send({ type: 'whisper', callId: audioId, otherCallId: this.#id })) return;
    // They are hanging up: nobody would hear it.
    this.#refuse('CALL_TRANSFERRED');
    this.#step({ type: 'gone' });
  }

  #take(): void {
    const { deps, audio } = this.#of;
    if (this.#state.phase === 'talking' && this.#state.who.by === 'socket') {
      deps.listeners?.talks(this.#state.who.listenerId, true);
    }
    audio.send({ type: 'bridge', otherCallId: this.#id, hears: true });
    fallSilent(this.#of);
  }

  #giveBack(): void {
    this.#of.audio.send({ type: 'unbridge' });
    speakAgain(this.#of);
  }

  async #dial(target: string, audio: LocalAudio): Promise<void> {
    const { deps, options, writes, log } = this.#of;
    // Nobody asks any more for an earlier call to a telephone.
    const isCurrent = (): boolean => this.#phone === phone && !this.#isLeft;
    let isOver = false;
    const phone = new PersonCall({
      ...{ deps, options, writes, target, log },
      onAnswered: (negotiated) => this.#step({ type: 'answered', audio: negotiated }),
      onAudioChanged: (negotiated) => this.#step({ type: 'audio-changed', audio: negotiated }),
      onEnded: (_result, reason) => {
        isOver = true;
        if (!isCurrent()) return;
        this.#phone = null;
        if (reason !== null && this.#state.phase === 'coming') this.#detail = reason;
        this.#step({ type: 'gone' });
      },
    });
    this.#phone = phone;
    await phone.dial(audio);
    if (isCurrent() && !isOver && this.#state.phase === 'coming') this.#answer({ state: 'ringing' });
  }

  #onShardEvent(event: ShardEvent): void {
    const { shards } = this.#of.deps;
    switch (event.type) {
      case 'opened':
        return this.#step({
          type: 'audio-opened',
          audio: this.#entrance?.at(event.address, event.port) ?? { address: event.address, port: event.port },
        });
      case 'open-failed':
      case 'call-failed':
      case 'media-lost':
        return this.#step({ type: 'gone' });
      case 'reply-wanted':
        // Nobody answers them: they talk to the caller, or to the agent, which is told.
        shards.send({ type: 'reply-complete', callId: this.#id, epoch: event.epoch });
        if (event.committed && event.cause.kind === 'turn') this.#said(event.cause.text, event.cause.startedAtMs);
        return;
      case 'reply-committed':
        if (event.cause.kind === 'turn') this.#said(event.cause.text, event.cause.startedAtMs);
        return;
      case 'caller-unanswered':
        return this.#said(event.text, event.startedAtMs);
      default:
        // Other events on their line do not concern the caller.
        return;
    }
  }

  #said(words: string, startedAtMs: number): void {
    const { record, dialogue, beganAtSharedMs, deps } = this.#of;
    const text = words.trim();
    const zeroMs = beganAtSharedMs();
    if (text === '' || zeroMs === null) return;
    const timestamp = this.#beganAtSharedMs - zeroMs + startedAtMs;
    if (this.#state.phase === 'talking') {
      personSaid(this.#of, text, timestamp);
      this.#of.onTalked();
      return;
    }
    record.add({ speaker: 'person', text, timestamp, line: 'person' });
    if (followsInstructions(deps)) dialogue.wishes.instruct(text);
  }

  #refuse(code: ControlRefusal): void {
    const detail = this.#detail;
    this.#detail = undefined;
    this.#answer(detail === undefined ? { refused: code } : { refused: code, detail });
  }

  #answer(answer: ControlAnswer): void {
    for (const resolve of this.#waiting.splice(0)) resolve(answer);
  }
}

/** The built-in receptionist answers by rules, which nobody changes by a sentence. */
export const followsInstructions = ({ dialogue }: Pick<ConductorDeps, 'dialogue'>): boolean =>
  dialogue.name !== 'receptionist';
