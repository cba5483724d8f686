// The shards as the control thread sees them; calls are spread over them. A lost shard is restarted with its calls:
// their sockets on the same ports, their recordings continued, their turn machines listening.

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import type { WorkerModel } from '../../db/domain/model-settings.ts';
import { FRAME_MS } from '../../media/frame.ts';
import type { WorkerKind } from '../../models/workers/model-worker.ts';
import type { AudioPriority } from '../../models/workers/priority.ts';
import { type Clock, sleep, systemClock } from '../clock.ts';
import type { ModelPortSet } from './models/model-ports.ts';
import { type CallEvent, PooledCall } from './pooled-call.ts';
import type {
  CallCommand,
  DoorCommand,
  ListenerEvent,
  MediaSocket,
  MediaSocketOptions,
  OpenCall,
  ShardCommand,
  ShardEvent,
  ShardTask,
} from './protocol.ts';
import { becomeReady, ShardError, type ShardSlot, shardThread } from './shard-thread.ts';
import type { Shards } from './shards.ts';

/** Creates new ports to the model workers for that shard. */
type ModelPortsSource = (shardIndex: number) => ModelPortSet;

interface ShardPoolOptions {
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
  #onListener: (event: ListenerEvent | { type: 'listeners-lost' }) => void = () => undefined;
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
    this.#calls.set(command.callId, new PooledCall(command, onEvent, shard));
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
    if (!call?.isMoved) return false;
    call.adopt(command, onEvent);
    return true;
  }

  send(command: CallCommand): boolean {
    const call = this.#calls.get(command.callId);
    if (!call) return false;
    call.told(command);
    this.#post(call.shard, command);
    return true;
  }

  /** Whom the events of those who listen to calls are for, from now on. */
  onListener(listener: (event: ListenerEvent | { type: 'listeners-lost' }) => void): void {
    this.#onListener = listener;
  }

  /** Does something for those who listen to calls, at the door. */
  atDoor(command: DoorCommand): void {
    this.#post(this.#first(), command);
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
    const counts = new Map(this.#slots.map((slot) => [slot, 0]));
    for (const { shard } of this.#calls.values()) counts.set(shard, (counts.get(shard) ?? 0) + 1);
    return this.#slots.reduce(
      (best, slot) => ((counts.get(slot) ?? 0) < (counts.get(best) ?? 0) ? slot : best),
      this.#first(),
    );
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
    switch (event.type) {
      case 'ready':
        this.#priority = event.priority;
        if (event.socket === null) return;
        this.#socket = event.socket;
        this.#onDoor?.opened();
        return;
      case 'door-failed':
        this.#onDoor?.failed(new ShardError(event.message));
        return;
      case 'listener-joined':
      case 'listener-gone':
      case 'listener-asks':
        this.#onListener(event);
        return;
      case 'left':
        this.#onLeft?.();
        return;
      case 'pulse':
        for (const pulse of event.calls) this.#calls.get(pulse.callId)?.pulsed(pulse, event.atMs);
        this.#options.onShardEvent?.(event);
        return;
      case 'pacing':
      case 'lateness':
        this.#options.onShardEvent?.(event);
        return;
      default:
        this.#toOwner(slot, event);
    }
  }

  #toOwner(slot: ShardSlot, event: CallEvent): void {
    const call = this.#calls.get(event.callId);
    if (!call || call.shard !== slot) return;
    if (event.type === 'closed' || event.type === 'open-failed') this.#calls.delete(call.callId);
    call.receive(event);
  }

  async #ended(slot: ShardSlot, error: Error): Promise<void> {
    slot.control.close();
    if (this.#stopping || this.#slots[slot.index] !== slot) return;
    this.#options.onShardLost?.(slot.index, error);
    if (slot.index === 0) this.#onListener({ type: 'listeners-lost' });
    void slot.pool.destroy().catch(() => undefined);
    const delayMs = this.#restartDelayMs();
    if (delayMs > 0) await sleep(this.#clock, delayMs);
    if (this.#stopping) return;
    const next = this.#startShard(slot.index);
    this.#slots[slot.index] = next;
    for (const call of [...this.#calls.values()]) if (call.shard === slot) this.#goOn(call, next);
  }

  /** Counts this restart. */
  #restartDelayMs(): number {
    const nowMs = this.#clock.monotonicMs();
    while ((this.#restarts[0] ?? nowMs) < nowMs - MINUTE_MS) this.#restarts.shift();
    this.#restarts.push(nowMs);
    if (this.#restarts.length > MAX_RESTARTS_PER_MINUTE) return MINUTE_MS / MAX_RESTARTS_PER_MINUTE;
    return this.#restarts.length > 1 ? RESTART_DELAY_MS : 0;
  }

  #goOn(call: PooledCall, slot: ShardSlot): void {
    if (call.mayGoOn) {
      call.shard = slot;
      for (const command of call.goOn()) this.#post(slot, command);
      return;
    }
    this.#calls.delete(call.callId);
    call.end();
  }
}
