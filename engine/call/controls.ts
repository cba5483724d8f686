// Controls of a running call, by clients of the API and by its listeners: each asked once, each answered once it is
// done or refused. A control that has to outlive the process (muted, masked, told) is in the call's description.
import { type CallControl, type ControlAnswer, type ControlRefusal, done } from '../../db/domain/calls/control.ts';
import { unreachable } from '../../db/domain/unexpected.ts';
import type { Dialogue } from '../dialogue/dialogue.ts';
import type { ListenerMode } from '../shard/protocol.ts';
import type { CallKeys } from './keys.ts';
import type { CallReport, CallState } from './machine.ts';
import { followsInstructions, Supervision, type SupervisionOptions } from './persons/supervision.ts';

interface ControlsOptions extends SupervisionOptions {
  keys: Pick<CallKeys, 'send' | 'secret'>;
  state(): CallState;
  isRecorded(): boolean;
  step(report: CallReport): void;
}

/** The state of a call that listeners are told beside its words. */
interface ControlsView {
  isMuted: boolean;
  isMasked: boolean;
  /** The person who speaks beside the agent; null: nobody. */
  speaker: { by: 'socket' | 'phone'; mode: 'coming' | 'whispering' | 'talking'; listenerId?: string } | null;
}

export class CallControls {
  readonly #of: ControlsOptions;
  readonly #dialogue: Dialogue;
  readonly supervision: Supervision;
  #isMasked = false;

  constructor(of: ControlsOptions) {
    this.#of = of;
    this.#dialogue = of.dialogue;
    this.supervision = new Supervision(of);
  }

  get isMasked(): boolean {
    return this.#isMasked;
  }

  get view(): ControlsView {
    const { state } = this.supervision;
    const isMuted = this.#dialogue.wishes.isSilencedBy('client');
    if (state.phase === 'none') return { isMuted, isMasked: this.#isMasked, speaker: null };
    const { who, phase: mode } = state;
    const speaker = who.by === 'socket' ? { by: who.by, mode, listenerId: who.listenerId } : { by: who.by, mode };
    return { isMuted, isMasked: this.#isMasked, speaker };
  }

  /** As another process has left it; before the call's clock goes on. */
  goOn({ isMasked = false }: { isMasked?: boolean }): void {
    if (isMasked) this.#mask(true);
  }

  async apply(control: CallControl): Promise<ControlAnswer> {
    const refused = this.#obstacle(control);
    if (refused !== null) return { refused };
    const answer = await this.#apply(control);
    this.#of.changed();
    return answer;
  }

  /** A listener wants to speak, or to listen again. */
  async switchTo(listenerId: string, mode: ListenerMode): Promise<ControlAnswer> {
    const who = { by: 'socket', listenerId } as const;
    if (mode === 'listen') {
      this.supervision.handBack(who);
      return done;
    }
    const refused = mode === 'whisper' ? this.#whisperObstacle() : this.#obstacle({ kind: 'take-over', by: 'socket' });
    if (refused !== null) return { refused };
    const answer = await this.supervision.ask(who, mode === 'whisper' ? 'whisper' : 'talk');
    if (mode === 'whisper' && 'state' in answer) this.#of.deps.listeners?.talks(listenerId, false);
    return answer;
  }

  /** The caller is put through to somebody: a telephone that rings would find them there. */
  makeWay(): void {
    const { state } = this.supervision;
    if (state.phase === 'coming' && state.who.by === 'phone') this.supervision.handBack();
  }

  close(): void {
    this.supervision.close();
  }

  leave(): void {
    this.supervision.leave();
  }

  async #apply(control: CallControl): Promise<ControlAnswer> {
    const { audio, keys, step } = this.#of;
    switch (control.kind) {
      case 'say':
        audio.request({ kind: 'say', text: control.text, by: 'client' }, control.when === 'now');
        return done;
      case 'instruct':
        this.#dialogue.wishes.instruct(control.text);
        return done;
      case 'mute':
        audio.send({ type: 'silence' });
        this.#dialogue.silence('client');
        return done;
      case 'unmute':
        this.#dialogue.wishes.letSpeak('client');
        audio.send({ type: 'silence' });
        return done;
      case 'digits':
        return (await keys.send(control.digits)) ? done : { refused: 'NO_KEYPAD' };
      case 'collect-digits': {
        const { text, kind: _kind, ...digits } = control;
        if (text !== null) audio.request({ kind: 'say', text, by: 'client' });
        this.#dialogue.collectDigits(digits);
        return done;
      }
      case 'transfer':
        step({ type: 'transfer-requested', target: control.to });
        return done;
      case 'recording':
        this.#mask(control.recording === 'mask');
        return done;
      case 'take-over':
        if (control.by !== 'socket') return this.supervision.ask({ by: 'phone', target: control.by }, 'talk');
        return this.#takeOverBySocket(control.listenerId ?? '', control.userId ?? '');
      case 'hand-back':
        return this.supervision.handBack() ? done : { refused: 'NOT_TAKEN_OVER' };
      default:
        return unreachable(control);
    }
  }

  #takeOverBySocket(listenerId: string, userId: string): Promise<ControlAnswer> | ControlAnswer {
    const { deps, options } = this.#of;
    const isThere = deps.listeners?.has(options.call.id, listenerId, userId) === true;
    return isThere ? this.supervision.ask({ by: 'socket', listenerId }, 'talk') : { refused: 'LISTENER_GONE' };
  }

  #mask(isMasked: boolean): void {
    this.#isMasked = isMasked;
    this.#of.audio.send({ type: 'mask', isMasked });
  }

  #whisperObstacle(): ControlRefusal | null {
    const state = this.#of.state();
    if (state.phase !== 'answered') return notRunning(state);
    if (this.#of.personAudioId() !== null || followsInstructions(this.#of.deps)) return null;
    return 'AGENT_TAKES_NO_INSTRUCTIONS';
  }

  /** Null: it may be done now. */
  #obstacle(control: CallControl): ControlRefusal | null {
    const state = this.#of.state();
    if (state.phase !== 'answered') return notRunning(state);
    const { transfer, machine } = state.answered;
    const isTalkedOn = this.supervision.state.phase === 'talking';
    switch (control.kind) {
      case 'instruct':
        return followsInstructions(this.#of.deps) ? null : 'AGENT_TAKES_NO_INSTRUCTIONS';
      case 'recording':
        return this.#of.isRecorded() ? null : 'NOT_RECORDED';
      case 'hand-back':
      case 'digits':
        return null;
      case 'mute':
      case 'unmute':
        return transfer.state === 'bridged' ? 'CALL_TRANSFERRED' : null;
      default:
    }
    if (machine !== 'none') return 'CALL_WITH_MACHINE';
    if (transfer.state === 'bridged') return 'CALL_TRANSFERRED';
    if (transfer.state !== 'none') return 'TRANSFER_UNDER_WAY';
    if (control.kind === 'collect-digits') {
      if (!followsInstructions(this.#of.deps)) return 'AGENT_TAKES_NO_INSTRUCTIONS';
      if (this.#of.keys.secret.isCollecting) return 'DIGITS_UNDER_WAY';
    }
    // A telephone that rings would find the caller with somebody else.
    if (control.kind === 'transfer' && this.supervision.state.phase !== 'none') return 'CALL_TAKEN_OVER';
    return control.kind !== 'take-over' && isTalkedOn ? 'CALL_TAKEN_OVER' : null;
  }
}

const notRunning = ({ phase }: CallState): ControlRefusal =>
  phase === 'ending' || phase === 'ended' ? 'CALL_ENDED' : 'CALL_NOT_ANSWERED';
