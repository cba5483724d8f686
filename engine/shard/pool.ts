// The shards as the control thread sees them; calls are spread over them. A lost shard is restarted with its calls:
// their sockets on the same ports, their recordings continued, their turn machines listening.

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import type { WorkerModel } from '../../db/domain/model-settings.ts';
import { sharedClockMs } from '../../db/shared/process/shared-clock.ts';
import { FRAME_MS } from '../../media/frame.ts';
import { recoverRecording } from '../../media/recorder.ts';
import { CODEC_RATES } from '../../media/rtp/voice-codec.ts';
import type { WorkerKind } from '../../models/workers/model-worker.ts';
import type { AudioPriority } from '../../models/workers/priority.ts';
import { type Clock, sleep, systemClock } from '../clock.ts';
import { LastingCommands } from './lasting-commands.ts';
import type { ModelPortSet } from './models/model-ports.ts';
import {
  type CallCommand,
  type DoorCommand,
  type ListenerEvent,
  type MediaSocket,
  type MediaSocketOptions,
  NO_STATS,
  type OpenCall,
  type ResumedCall,
  type ShardCommand,
  type ShardEvent,
  type ShardTask,
} from './protocol.ts';
import { becomeReady, ShardError, shardThread } from './shard-thread.ts';
import type { Shards } from './shards.ts';

/** Creates new ports to the model workers for that shard. */
type ModelPortsSource = (shardIndex: number) => ModelPortSet;

export interface ShardPoolOptions {
  shards: number;
  rtpAddress: string;
  /** 0 and 0: any free ports. */
  rtpPortMin: number;
  rtpPortMax: number;
  connectModels: ModelPortsSource;
  /** Of `prepare`, for the first start of each; absent: they are begun now. */
  threads?: Piscina[];
  /** Run in real time if the process is allowed to; true if absent. */
  realTime?: boolean;
  /** Other engines may take this one for dead; default false. */
  isFenced?: boolean;
  /**
   * Where browsers and audio forks join their calls; port 0 means any free one. Without it such calls cannot be opened.
   */
  mediaSocket?: MediaSocketOptions;
  clock?: Clock;
  /** Events that concern no call. */
  onShardEvent?: (event: Extract<ShardEvent, { type: 'pacing' | 'lateness' | 'pulse' }>) => void;
  /** A shard was lost and is being started again. */
  onShardLost?: (shardIndex: number, error: Error) => void;
  /** Of those who listen to calls; they are all gone where the shard with the door was lost. */
  onListener?: (event: ListenerEvent | { type: 'listeners-lost' }) => void;
}

interface PooledCall {
  callId: string;
  command: OpenCall;
  onEvent: (event: ShardEvent) => void;
  shard: ShardSlot;
  port: number;
  lasting: LastingCommands;
  /** By `process.hrtime`, which shards read too. */
  answeredAtMs: number | null;
  lastEpoch: number;
  /** Its RTP stream at the shard's last pulse. */
  sent: NonNullable<ResumedCall['sent']> | null;
  hasHeard: boolean;
  /** Requested replies whose end has not been reported. */
  openEpochs: Set<number>;
  closing: boolean;
}

interface ShardSlot {
  index: number;
  pool: Piscina;
  control: MessagePort;
  calls: Set<PooledCall>;
  done: Promise<void>;
  ready: Promise<void>;
}

// A shard that fails repeatedly right after its start has a program fault, not a call's fault.
const RESTART_DELAY_MS = 100;
const MAX_RESTARTS_PER_MINUTE = 20;

export class ShardPool implements Shards {
  readonly #options: ShardPoolOptions;
  readonly #clock: Clock;
  readonly #slots: ShardSlot[] = [];
  readonly #calls = new Map<string, PooledCall>();
  readonly #restarts: number[] = [];
  #stopping = false;
  #isDoorOpen = false;
  #onDoor: { opened: () => void; failed: (error: Error) => void } | null = null;
  #onLeft: (() => void) | null = null;
  #socket: MediaSocket | null = null;
  #priority: AudioPriority = 'usual';

  private constructor(options: ShardPoolOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Threads that begin to load their code, which takes half a second, before there is anything for them to do. */
  static prepare(shards: number): Piscina[] {
    return Array.from({ length: shards }, shardThread);
  }

  /** Resolves when every shard is up. @throws ShardError */
  static async start(options: ShardPoolOptions): Promise<ShardPool> {
    const pool = new ShardPool(options);
    for (let index = 0; index < options.shards; index++) pool.#slots.push(pool.#startShard(index));
    await Promise.all(pool.#slots.map((slot) => slot.ready));
    return pool;
  }

  get calls(): number {
    return this.#calls.size;
  }

  /** The media socket, or null. */
  get socket(): MediaSocket | null {
    return this.#socket;
  }

  /** Where a shard that was lost opens the door again: at the port of the first time. */
  get #doorOptions(): MediaSocketOptions | null {
    const { mediaSocket } = this.#options;
    return mediaSocket ? { ...mediaSocket, port: this.#socket?.port ?? mediaSocket.port } : null;
  }

  /** Browsers and audio forks may come from now on. @throws the error of `listen` */
  async openDoor(): Promise<void> {
    const mediaSocket = this.#doorOptions;
    if (mediaSocket === null) return;
    this.#isDoorOpen = true;
    await new Promise<void>((opened, failed) => {
      this.#onDoor = { opened, failed };
      this.#post(this.#first(), { type: 'open-door', mediaSocket });
    });
  }

  /**
   * Another process goes on with all calls. Resolves when every shard has told its last pulse and closed everything.
   */
  async leave(): Promise<void> {
    this.#stopping = true;
    let left = 0;
    await new Promise<void>((resolve) => {
      this.#onLeft = () => {
        if (++left === this.#slots.length) resolve();
      };
      for (const slot of this.#slots) this.#post(slot, { type: 'leave' });
    });
  }

  /** The priority of the media threads; it depends on what the process is allowed to do. */
  get priority(): AudioPriority {
    return this.#priority;
  }

  open(command: OpenCall, onEvent: (event: ShardEvent) => void, besideCallId?: string): void {
    if (this.#adopt(command, onEvent)) return;
    const shard = this.#shardFor(command, besideCallId);
    const { resume } = command;
    const call: PooledCall = {
      callId: command.callId,
      command,
      onEvent,
      shard,
      port: resume?.port ?? 0,
      lasting: new LastingCommands(),
      answeredAtMs: resume?.answeredAtMs ?? null,
      lastEpoch: resume?.lastEpoch ?? 0,
      sent: resume?.sent ?? null,
      hasHeard: false,
      openEpochs: new Set(),
      closing: false,
    };
    this.#calls.set(command.callId, call);
    shard.calls.add(call);
    this.#post(shard, command);
  }

  #shardFor({ transport }: OpenCall, besideCallId: string | undefined): ShardSlot {
    if (transport.kind === 'socket' || transport.kind === 'fork') return this.#first();
    if (besideCallId === undefined) return this.#emptiest();
    // A browser's call of another machine is opened after the audio of the person they talk to, and at the door.
    return this.#calls.get(besideCallId)?.shard ?? this.#first();
  }

  /** A call of another machine has its port before anybody can go on with it (engine/call/going-on/moved.ts). */
  #adopt(command: OpenCall, onEvent: (event: ShardEvent) => void): boolean {
    const call = this.#calls.get(command.callId);
    if (!call || !isMoved(call.command)) return false;
    Object.assign(call, { command, onEvent });
    return true;
  }

  send(command: CallCommand): boolean {
    const call = this.#calls.get(command.callId);
    if (!call) return false;
    call.lasting.note(command);
    if (command.type === 'connect') this.#connected(call, command);
    else if (command.type === 'close') call.closing = true;
    else if (command.type === 'answered') call.answeredAtMs ??= sharedClockMs();
    this.#post(call.shard, command);
    return true;
  }

  /** Does something for those who listen to calls, at the door. */
  atDoor(command: DoorCommand): void {
    this.#post(this.#first(), command);
  }

  #connected(call: PooledCall, command: Extract<ShardCommand, { type: 'connect' }>): void {
    // A call keeps the rate of its first codec, also when another shard continues it.
    if (call.answeredAtMs !== null || call.command.transport.kind !== 'rtp') return;
    call.command = { ...call.command, sampleRateHz: CODEC_RATES[command.audio.codec].sampleRateHz };
  }

  /** A model worker was lost: every shard gets a port to its successor, made by `connect`. */
  replaceModel(model: WorkerKind, index: number, connect: () => MessagePort): void {
    for (const slot of this.#slots) {
      const port = connect();
      slot.control.postMessage({ type: 'model-port', model, index, port } satisfies ShardCommand, [port]);
    }
  }

  /** Another engine serves new calls: every shard gets ports to its workers, made by `connect`. */
  renewModels(model: WorkerModel, connect: () => MessagePort[]): void {
    for (const slot of this.#slots) {
      const ports = connect();
      slot.control.postMessage({ type: 'model-ports', model, ports } satisfies ShardCommand, ports);
    }
  }

  /** Ends every remaining call (each answers `closed`), then the threads. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const slot of this.#slots) this.#post(slot, { type: 'stop' });
    await Promise.allSettled(this.#slots.map((slot) => slot.done));
    await Promise.allSettled(this.#slots.map((slot) => slot.pool.destroy()));
  }

  #post(slot: ShardSlot, command: ShardCommand): void {
    slot.control.postMessage(command);
  }

  #emptiest(): ShardSlot {
    return this.#slots.reduce((best, slot) => (slot.calls.size < best.calls.size ? slot : best), this.#first());
  }

  #first(): ShardSlot {
    const [first] = this.#slots;
    if (!first) throw new ShardError('there is no shard');
    return first;
  }

  #startShard(index: number): ShardSlot {
    const { rtpAddress, rtpPortMin, rtpPortMax, connectModels, realTime = true, isFenced = false } = this.#options;
    const { port1: control, port2 } = new MessageChannel();
    const pool = this.#options.threads?.shift() ?? shardThread();
    const { vad, vadIndex, stt, tts, turnEnd, speechModel } = connectModels(index);
    const task: ShardTask = {
      shardIndex: index,
      // Spread over the frame, so that with few cores no shard sends behind the work of another.
      tickPhaseMs: (index * FRAME_MS) / this.#options.shards,
      control: port2,
      vad,
      vadIndex,
      stt: [...stt],
      tts: [...tts],
      turnEnd,
      speechModel,
      rtpAddress,
      rtpPortMin,
      rtpPortMax,
      realTime,
      isFenced,
      // A restarted shard listens on the port of the first one.
      mediaSocket: index === 0 && this.#isDoorOpen ? this.#doorOptions : null,
    };
    const optional = [turnEnd, speechModel].filter((port) => port !== null);
    const running = pool.run(task, { transferList: [port2, vad, ...stt, ...tts, ...optional] });
    const slot: ShardSlot = {
      index,
      pool,
      control,
      calls: new Set(),
      done: Promise.resolve(),
      ready: becomeReady(control, running, this.#clock),
    };
    control.on('message', (event: ShardEvent) => this.#receive(slot, event));
    slot.done = running.then(
      () => this.#ended(slot, new ShardError('the shard ended')),
      (error: unknown) => this.#ended(slot, error instanceof Error ? error : new ShardError(String(error))),
    );
    // A first start that fails is reported by `start`; later ones by `#ended`.
    slot.ready.catch(() => undefined);
    return slot;
  }

  #receive(slot: ShardSlot, event: ShardEvent): void {
    if (event.type === 'ready') {
      if (event.socket !== null) {
        this.#socket = event.socket;
        this.#onDoor?.opened();
      }
      this.#priority = event.priority;
      return;
    }
    if (event.type === 'door-failed') {
      this.#onDoor?.failed(new ShardError(event.message));
      return;
    }
    if (event.type === 'listener-joined' || event.type === 'listener-gone' || event.type === 'listener-asks') {
      this.#options.onListener?.(event);
      return;
    }
    if (event.type === 'left') {
      this.#onLeft?.();
      return;
    }
    if (event.type === 'pulse') {
      const { atMs } = event;
      for (const { callId, stream, hasHeard } of event.calls) {
        const call = this.#calls.get(callId);
        if (call) call.hasHeard ||= hasHeard;
        if (call && stream) call.sent = { stream, atMs };
      }
    }
    if (event.type === 'pacing' || event.type === 'lateness' || event.type === 'pulse') {
      this.#options.onShardEvent?.(event);
      return;
    }
    const call = this.#calls.get(event.callId);
    if (!call || call.shard !== slot) return;
    if (event.type === 'opened') {
      call.port = event.port;
      // The owner of the call got this event from the lost shard.
      if (call.command.resume && !isMoved(call.command)) return;
    }
    if (event.type === 'reply-wanted') {
      call.lastEpoch = Math.max(call.lastEpoch, event.epoch);
      call.openEpochs.add(event.epoch);
    }
    if (event.type === 'reply-heard' || event.type === 'reply-dropped') call.openEpochs.delete(event.epoch);
    if (event.type === 'closed' || event.type === 'open-failed') this.#forget(call);
    if (event.type === 'open-failed' && call.command.resume && !isMoved(call.command)) {
      call.onEvent({ type: 'call-failed', callId: call.callId, message: event.message });
      void this.#closedWithoutShard(call).then(call.onEvent);
      return;
    }
    call.onEvent(event);
  }

  #forget(call: PooledCall): void {
    this.#calls.delete(call.callId);
    call.shard.calls.delete(call);
  }

  async #ended(slot: ShardSlot, error: Error): Promise<void> {
    slot.control.close();
    if (this.#stopping || this.#slots[slot.index] !== slot) return;
    this.#options.onShardLost?.(slot.index, error);
    if (slot.index === 0) this.#options.onListener?.({ type: 'listeners-lost' });
    void slot.pool.destroy().catch(() => undefined);
    const nowMs = this.#clock.monotonicMs();
    while ((this.#restarts[0] ?? nowMs) < nowMs - 60_000) this.#restarts.shift();
    this.#restarts.push(nowMs);
    const tooOften = this.#restarts.length > MAX_RESTARTS_PER_MINUTE;
    if (tooOften) await sleep(this.#clock, 60_000 / MAX_RESTARTS_PER_MINUTE);
    else if (this.#restarts.length > 1) await sleep(this.#clock, RESTART_DELAY_MS);
    if (this.#stopping) return;
    const next = this.#startShard(slot.index);
    this.#slots[slot.index] = next;
    await Promise.all([...slot.calls].map((call) => this.#resume(call, next)));
  }

  async #resume(call: PooledCall, slot: ShardSlot): Promise<void> {
    slot.calls.add(call);
    call.shard = slot;
    if (!this.#calls.has(call.callId)) return;
    if (call.closing) {
      this.#forget(call);
      call.onEvent(await this.#closedWithoutShard(call));
      return;
    }
    // A supervisor's audio is not restarted; the call that it is bridged to is told.
    if (call.command.transport.kind === 'ring') {
      this.#forget(call);
      call.onEvent({ type: 'call-failed', callId: call.callId, message: 'its shard was lost' });
      return;
    }
    if (call.port === 0 && (!call.command.resume || isMoved(call.command))) {
      // Its sockets were not bound yet, so it is opened as if for the first time.
      this.#post(slot, call.command);
      return;
    }
    // The reply in progress is lost, and how much of it was heard is unknown.
    for (const epoch of call.openEpochs) {
      const { callId } = call;
      call.onEvent({ type: 'reply-heard', callId, epoch, text: '', startedAtMs: 0, interrupted: true });
    }
    call.openEpochs.clear();
    const { speechModel } = call.command;
    call.command = {
      ...call.command,
      ...(speechModel && call.answeredAtMs !== null ? { speechModel: { ...speechModel, isLost: true } } : {}),
      resume: {
        answeredAtMs: call.answeredAtMs,
        port: call.port,
        lastEpoch: call.lastEpoch,
        hasHeard: call.hasHeard,
        ...(call.sent ? { sent: call.sent } : {}),
      },
    };
    this.#post(slot, call.command);
    for (const command of call.lasting.beforeAnswer) this.#post(slot, command);
    if (call.answeredAtMs !== null) this.#post(slot, { type: 'answered', callId: call.callId });
    for (const command of call.lasting.afterAnswer) this.#post(slot, command);
  }

  /**
   * The `closed` event of a call whose shard cannot be restarted: its recording is repaired here, its figures are lost.
   */
  async #closedWithoutShard(call: PooledCall): Promise<ShardEvent> {
    const { callId, command } = call;
    const { recordingPath } = command;
    const recovered = recordingPath === null ? null : await recoverRecording(recordingPath).catch(() => null);
    return {
      type: 'closed',
      callId,
      recordedMs: recovered?.durationMs ?? 0,
      recordingPath: recovered ? recordingPath : null,
      stats: NO_STATS,
    };
  }
}

/** Its peer knows no port of this machine yet. */
const isMoved = ({ resume, transport }: OpenCall): boolean => transport.kind === 'rtp' && resume?.port === 0;
