// Calls that are placed, by the API or a campaign: each gets a place, here or at another engine, and is asked of its
// business's own system before it is dialled. One that cannot be dialled is closed, so that no row stays open.
import type { EndReason } from '../../db/domain/calls/ends.ts';
import { isEndAsked } from '../../db/queries/engine/engine-requests.ts';
import { type ClaimedRequest, GIVEN_EXPIRES_MS } from '../../db/rules/engine-claims.ts';
import { dialObstacle } from '../../db/rules/may-call.ts';
import { type CallSetup, readOpenCall } from '../../db/rules/routing.ts';
import type { Db } from '../../db/schema.ts';
import type { CallInfo, CallMedium, ConductorDeps } from '../call/context.ts';
import { type LookedUp, lookUp } from '../call/look-up.ts';
import { failClaimed } from '../campaign/dialler.ts';
import { sleep } from '../clock.ts';
import type { Place, Places } from '../cluster/places.ts';
import type { ToolRun } from '../dialogue/tool-runs.ts';
import type { Admission } from '../load/admission.ts';

/** A placed call waits so long for a place, and looks so often. */
const PLACE_AWAITED_MS = 10_000;
const PLACE_EVERY_MS = 250;

/** A call that is about to begin and has its place. */
export interface NewCall {
  call: CallInfo;
  setup: CallSetup;
  medium: CallMedium;
  /** The question to its business's own system. */
  run?: ToolRun | null;
  /** The audio is open, or will never be. */
  onOpened?: () => void;
  /** Wait imposed by the trunk's pace. */
  delayMs?: number;
}

export interface PlacedOptions extends Pick<ConductorDeps, 'clock' | 'log' | 'tools' | 'writer'> {
  read: Db;
  engineId: string;
  admission: Admission;
  /** Of all engines: a call that has no engine yet may be given to another one. */
  places: Pick<Places, 'take'>;
  /** The trunk a call was placed on, then its backup; empty once the trunk is gone. */
  routeOf(trunkId: string | null): string[];
  /** Takes a token from the trunk's calls-per-second budget, shared with campaigns. Returns the wait for it, in ms. */
  paceOf(trunkId: string): number;
}

/** The switchboard, as far as a call that is placed needs it. */
interface Board {
  /** Gives a call that has its place its conductor. */
  conduct(of: NewCall): void;
  isDraining(): boolean;
}

export class PlacedCalls {
  readonly #options: PlacedOptions;
  readonly #board: Board;

  constructor(options: PlacedOptions, board: Board) {
    this.#options = options;
    this.#board = board;
  }

  async beginRequested(request: ClaimedRequest, payload: Record<string, unknown>): Promise<boolean | 'given'> {
    const { read, admission, places, engineId } = this.#options;
    const open = await readOpenCall(read, request.callId ?? '');
    if (!open) return false;
    const { call } = open;
    const isChosenHere = request.kind === 'dial' && request.target === null;
    const kind = call.contactId === null ? 'api' : 'campaign';
    const own = (): Place | null => (admission.admit(kind) ? { engineId, isOwn: true } : null);
    const take = isChosenHere ? () => places.take('api') : own;
    const place = request.kind === 'dial' ? await this.#awaitPlace(take, call.id) : take();
    if (place === null) {
      await this.#refuse(call.id, (await isEndAsked(read, { callId: call.id })) ? 'api' : 'capacity');
      return true;
    }
    if (!place.isOwn) return (await this.#give(request, call, place.engineId)) ? 'given' : true;
    let hasBegun = false;
    try {
      const obstacle = await this.#begin(open, request, payload);
      hasBegun = obstacle === null;
      if (obstacle !== null) await this.#refuse(call.id, obstacle);
      return true;
    } catch (error) {
      // A call without a conductor would stay open.
      await this.#refuse(call.id, 'crash');
      throw error;
    } finally {
      if (!hasBegun) admission.release();
    }
  }

  /**
   * A place as soon as there is one, for a call that a client has been told of: the figures of other engines, by which
   * it came here, are a second old, and calls end all the time. Null: there was none for a while, or nobody wants it.
   */
  async #awaitPlace(take: () => Place | null, callId: string): Promise<Place | null> {
    const { clock, read } = this.#options;
    const untilMs = clock.monotonicMs() + PLACE_AWAITED_MS;
    for (;;) {
      const place = take();
      if (place !== null || this.#board.isDraining() || clock.monotonicMs() >= untilMs) return place;
      await sleep(clock, PLACE_EVERY_MS);
      if (await isEndAsked(read, { callId })) return null;
    }
  }

  /** Starts a call that has its place; returns why not, or null. */
  async #begin(
    open: { call: CallInfo; setup: CallSetup },
    request: Pick<ClaimedRequest, 'kind' | 'target'>,
    payload: Record<string, unknown>,
  ): Promise<EndReason | null> {
    const { routeOf, paceOf } = this.#options;
    const looked = await this.#lookUpPlaced(open, request.kind === 'web-call' ? 'web' : 'outbound');
    if (looked.refusal !== null) return 'api';
    if (request.kind === 'web-call') {
      // The API answers its client only once the socket is ready, so a browser can join at once.
      const medium: CallMedium = { kind: 'web', token: String(payload.tokenHash ?? '') };
      await new Promise<void>((onOpened) => this.#board.conduct({ ...looked, medium, onOpened }));
      return null;
    }
    const trunkIds = routeOf(looked.call.trunkId);
    const [first] = trunkIds;
    if (first === undefined) return 'no_trunk';
    const medium: CallMedium = { kind: 'outbound', trunkIds, detectMachines: payload.detectMachines !== false };
    // The engine that gave the call to this one has waited for the trunk's pace.
    this.#board.conduct({ ...looked, medium, delayMs: request.target === null ? paceOf(first) : 0 });
    return null;
  }

  /** A call that has its row, which gets what the look-up says. */
  async #lookUpPlaced(open: { call: CallInfo; setup: CallSetup }, kind: CallMedium['kind']): Promise<LookedUp> {
    const looked = await lookUp({ ...open, kind }, this.#options);
    const { call, setup } = looked;
    if (looked.run !== null && looked.refusal === null) {
      const change = { callId: call.id, variables: call.variables, agentId: setup.agent.id };
      await this.#options.writer.run('changeCall', change);
    }
    return looked;
  }

  /** Gives a call to another engine once its trunk's pace allows it. False: it was closed without being dialled. */
  async #give({ id }: ClaimedRequest, call: CallInfo, engineId: string): Promise<boolean> {
    const { read, writer, clock, log, routeOf, paceOf } = this.#options;
    const [first] = routeOf(call.trunkId);
    if (first === undefined) {
      await this.#refuse(call.id, 'no_trunk');
      return false;
    }
    const delayMs = paceOf(first);
    if (delayMs > 0) {
      await sleep(clock, delayMs);
      const obstacle = this.#board.isDraining() ? 'shutdown' : await dialObstacle(read, call);
      if (obstacle !== null) {
        await this.#refuse(call.id, obstacle);
        return false;
      }
    }
    const expiresAt = clock.nowMs() + GIVEN_EXPIRES_MS;
    await writer.runDurably('giveRequest', { id, callId: call.id, engineId, expiresAt });
    log.info({ callId: call.id, engine: engineId }, 'call given to another engine');
    return true;
  }

  /** Dials a campaign's claimed call, which has its place. False: it was closed without being dialled. */
  async dialClaimed(callId: string): Promise<boolean> {
    let isDialled = false;
    try {
      isDialled = await this.#dialClaimed(callId);
    } finally {
      // Where the database failed, the row is closed as that of any call that nobody has (succession/).
      if (!isDialled) this.#options.admission.release();
    }
    return isDialled;
  }

  async #dialClaimed(callId: string): Promise<boolean> {
    const { read, routeOf, clock } = this.#options;
    const open = await readOpenCall(read, callId);
    if (open === null) return false;
    const looked = await this.#lookUpPlaced(open, 'outbound');
    const trunkIds = routeOf(open.call.trunkId);
    const obstacle = this.#obstacle(looked, trunkIds);
    if (obstacle === null) {
      this.#board.conduct({ ...looked, medium: { kind: 'outbound', trunkIds, detectMachines: true } });
      return true;
    }
    const { contactId } = open.call;
    if (contactId !== null)
      await failClaimed(this.#options, { callId, contactId, endReason: obstacle, nowMs: clock.nowMs() });
    return false;
  }

  #obstacle({ refusal }: LookedUp, trunkIds: readonly string[]): EndReason | null {
    if (this.#board.isDraining()) return 'shutdown';
    if (refusal !== null) return 'api';
    return trunkIds.length === 0 ? 'no_trunk' : null;
  }

  async #refuse(callId: string, endReason: EndReason): Promise<void> {
    const nowMs = this.#options.clock.nowMs();
    await this.#options.writer.runDurably('endUndialledCall', { callId, endReason, nowMs });
  }
}
