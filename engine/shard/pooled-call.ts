// A call as the pool knows it, so that another shard can go on with it once its own is lost: how it was opened, the
// commands that still hold, and how far it had come.
import { sharedClockMs } from '../../db/shared/process/shared-clock.ts';
import { recoverRecording } from '../../media/recorder.ts';
import { CODEC_RATES } from '../../media/rtp/voice-codec.ts';
import { LastingCommands } from './lasting-commands.ts';
import {
  type CallCommand,
  type CallPulse,
  NO_STATS,
  type OpenCall,
  type ResumedCall,
  type ShardCommand,
  type ShardEvent,
} from './protocol.ts';
import type { ShardSlot } from './shard-thread.ts';

export type CallEvent = Extract<ShardEvent, { callId: string }>;

export class PooledCall {
  readonly callId: string;
  shard: ShardSlot;
  #command: OpenCall;
  #onEvent: (event: ShardEvent) => void;
  readonly #lasting = new LastingCommands();
  /** 0 until its sockets are bound. */
  #port: number;
  /** By `process.hrtime`, which shards read too. */
  #answeredAtMs: number | null;
  #lastEpoch: number;
  /** Its RTP stream at the shard's last pulse. */
  #sent: NonNullable<ResumedCall['sent']> | null;
  #hasHeard = false;
  /** Requested replies whose end has not been reported. */
  readonly #openEpochs = new Set<number>();
  /** The language that the recogniser was asked to hear, without its answer yet. */
  #asked: Extract<CallCommand, { type: 'listen-in' }> | null = null;
  #isClosing = false;

  constructor(command: OpenCall, onEvent: (event: ShardEvent) => void, shard: ShardSlot) {
    const { callId, resume } = command;
    this.callId = callId;
    this.shard = shard;
    this.#command = command;
    this.#onEvent = onEvent;
    this.#port = resume?.port ?? 0;
    this.#answeredAtMs = resume?.answeredAtMs ?? null;
    this.#lastEpoch = resume?.lastEpoch ?? 0;
    this.#sent = resume?.sent ?? null;
  }

  /** It was on another machine: its peer knows no port of this one yet. */
  get isMoved(): boolean {
    return this.#command.transport.kind === 'rtp' && this.#command.resume?.port === 0;
  }

  /** A call that was moved here has its port before anybody can go on with it: now somebody does. */
  adopt(command: OpenCall, onEvent: (event: ShardEvent) => void): void {
    this.#command = command;
    this.#onEvent = onEvent;
  }

  /** A command that its shard gets. */
  told(command: CallCommand): void {
    this.#lasting.note(command);
    if (command.type === 'connect') this.#connected(command);
    else if (command.type === 'listen-in') this.#asked = command;
    else if (command.type === 'close') this.#isClosing = true;
    else if (command.type === 'answered') this.#answeredAtMs ??= sharedClockMs();
  }

  #connected({ audio }: Extract<CallCommand, { type: 'connect' }>): void {
    // A call keeps the rate of its first codec, also when another shard continues it.
    if (this.#answeredAtMs !== null || this.#command.transport.kind !== 'rtp') return;
    this.#command = { ...this.#command, sampleRateHz: CODEC_RATES[audio.codec].sampleRateHz };
  }

  pulsed({ stream, hasHeard }: CallPulse, atMs: number): void {
    this.#hasHeard ||= hasHeard;
    if (stream) this.#sent = { stream, atMs };
  }

  /** An event of its shard; its owner gets it, but for what they know from a lost shard. */
  receive(event: CallEvent): void {
    switch (event.type) {
      case 'opened':
        this.#port = event.port;
        if (this.#wentOn) return;
        break;
      case 'open-failed':
        if (!this.#wentOn) break;
        this.#onEvent({ type: 'call-failed', callId: this.callId, message: event.message });
        this.#closeWithoutShard();
        return;
      case 'listens-in':
        this.#listens(event);
        break;
      case 'reply-wanted':
        this.#lastEpoch = Math.max(this.#lastEpoch, event.epoch);
        this.#openEpochs.add(event.epoch);
        break;
      case 'reply-heard':
      case 'reply-dropped':
        this.#openEpochs.delete(event.epoch);
        break;
      default:
    }
    this.#onEvent(event);
  }

  #listens({ change, message }: Extract<CallEvent, { type: 'listens-in' }>): void {
    if (this.#asked?.change !== change) return;
    if (message === null) this.#command = { ...this.#command, vocabulary: this.#asked.vocabulary };
    this.#asked = null;
  }

  /** Another shard had it before, at the port of now. */
  get #wentOn(): boolean {
    return this.#command.resume !== undefined && !this.isMoved;
  }

  /** False where the loss of its shard ends it: it was about to be closed, or is a supervisor's audio. */
  get mayGoOn(): boolean {
    return !this.#isClosing && this.#command.transport.kind !== 'ring';
  }

  /** Ends a call that may not go on. */
  end(): void {
    if (this.#isClosing) return this.#closeWithoutShard();
    // The call that the supervisor is bridged to is told.
    this.#onEvent({ type: 'call-failed', callId: this.callId, message: 'its shard was lost' });
  }

  /** The commands that another shard gets in place of the lost one. */
  goOn(): ShardCommand[] {
    const { callId } = this;
    // Its sockets were not bound yet, so it is opened as if for the first time.
    if (this.#port === 0 && !this.#wentOn) return [this.#command];
    // The reply in progress is lost, and how much of it was heard is unknown.
    for (const epoch of this.#openEpochs)
      this.#onEvent({ type: 'reply-heard', callId, epoch, text: '', startedAtMs: 0, interrupted: true });
    this.#openEpochs.clear();
    this.#command = this.#resumed();
    const asked = this.#asked === null ? [] : [this.#asked];
    const answered: ShardCommand[] = this.#answeredAtMs === null ? [] : [{ type: 'answered', callId }];
    return [this.#command, ...this.#lasting.beforeAnswer, ...asked, ...answered, ...this.#lasting.afterAnswer];
  }

  #resumed(): OpenCall {
    const { speechModel } = this.#command;
    return {
      ...this.#command,
      ...(speechModel && this.#answeredAtMs !== null ? { speechModel: { ...speechModel, isLost: true } } : {}),
      resume: {
        answeredAtMs: this.#answeredAtMs,
        port: this.#port,
        lastEpoch: this.#lastEpoch,
        hasHeard: this.#hasHeard,
        ...(this.#sent ? { sent: this.#sent } : {}),
      },
    };
  }

  /** Its owner gets `closed` without a shard: the recording is repaired here, and the figures are lost. */
  #closeWithoutShard(): void {
    const { recordingPath } = this.#command;
    const repaired = recordingPath === null ? Promise.resolve(null) : recoverRecording(recordingPath);
    void repaired
      .catch(() => null)
      .then((recording) =>
        this.#onEvent({
          type: 'closed',
          callId: this.callId,
          recordedMs: recording?.durationMs ?? 0,
          recordingPath: recording ? recordingPath : null,
          stats: NO_STATS,
        }),
      );
  }
}
