// Watches a turn machine from outside and rejects anything that must never happen, in any order of events.
import assert from 'node:assert/strict';
import {
  type AgentRequest,
  stepTurn,
  type TurnConfig,
  type TurnEffect,
  type TurnEvent,
  type TurnState,
} from '../../../engine/turn/machine.ts';

/** A caller who goes on after the agent has begun does so within this time. */
const FALSE_START_MS = 1_500;
const UNDERSTOOD_WITHIN_MS = 1_500;

export class Referee {
  /** Committed turns that were not withdrawn, by epoch. */
  readonly turns = new Map<number, string>();
  readonly digits: string[] = [];
  readonly requests: AgentRequest[] = [];
  unanswered: string[] = [];
  bargeIns = 0;

  #newestEpoch = 0;
  #candidate: number | null = null;
  #current: number | null = null;
  /** When each reply was opened, by epoch. */
  #opened = new Map<number, number>();
  #gone = new Set<number>();
  #paused = false;
  #ducked = false;
  #openUtterance: number | null = null;
  #newestUtterance = 0;
  #newestSerial = 0;
  #ended = false;

  /** Steps the machine and checks its output. */
  step(state: TurnState, event: TurnEvent, config: TurnConfig): [TurnState, TurnEffect[]] {
    const frozen = JSON.stringify(state);
    const [after, effects] = stepTurn(state, event, config);
    assert.equal(JSON.stringify(state), frozen, 'the old state is never touched');
    if (this.#ended) assert.deepEqual(effects, [], 'nothing after the end');
    for (const [index, effect] of effects.entries()) this.#check(effect, effects[index + 1], event);
    if (event.type === 'ended') this.#ended = true;
    if (after.phase === 'speaking' || after.phase === 'doubting' || after.phase === 'thinking') {
      assert.equal(after.reply.epoch, this.#current, 'the reply of the phase is the committed one');
    }
    if (after.phase === 'speaking' || after.phase === 'doubting') {
      assert.ok(this.#opened.has(after.reply.epoch), 'what is spoken was opened');
    }
    if (after.phase === 'doubting') {
      assert.ok(this.#paused || this.#ducked, 'the agent is quiet while in doubt');
      assert.equal(after.paused, this.#paused);
    }
    if (after.phase === 'speaking' && after.context.held === null) {
      assert.ok(!this.#paused && !this.#ducked, 'who speaks is not paused');
    }
    return [after, effects];
  }

  /** Not heard yet, or for no longer than a caller who goes on needs to be understood. */
  #isFresh(epoch: number, nowMs: number): boolean {
    const openedAtMs = this.#opened.get(epoch);
    return openedAtMs === undefined || nowMs - openedAtMs <= FALSE_START_MS + UNDERSTOOD_WITHIN_MS;
  }

  #check(effect: TurnEffect, following: TurnEffect | undefined, event: TurnEvent): void {
    switch (effect.type) {
      case 'want-reply':
        assert.ok(effect.epoch > this.#newestEpoch, 'epochs grow');
        assert.equal(this.#candidate, null, 'one candidate at a time');
        this.#newestEpoch = effect.epoch;
        if (effect.committed) this.#commit(effect.epoch, effect.cause);
        else this.#candidate = effect.epoch;
        break;
      case 'commit-reply':
        assert.equal(effect.epoch, this.#candidate, 'only the candidate can be committed');
        this.#candidate = null;
        this.#commit(effect.epoch, effect.cause);
        break;
      case 'drop-reply':
        assert.ok(effect.epoch === this.#candidate || effect.epoch === this.#current, 'only a living reply is dropped');
        assert.ok(this.#isFresh(effect.epoch, event.nowMs), 'a reply is dropped only in its first moments');
        assert.ok(!this.#gone.has(effect.epoch), 'dropped once');
        this.#gone.add(effect.epoch);
        this.turns.delete(effect.epoch);
        if (effect.epoch === this.#candidate) this.#candidate = null;
        else this.#current = null;
        break;
      case 'open-playout':
        assert.equal(effect.epoch, this.#current, 'only the committed reply is heard');
        assert.ok(!this.#opened.has(effect.epoch) && !this.#gone.has(effect.epoch), 'opened once, never stale');
        this.#opened.set(effect.epoch, event.nowMs);
        this.#paused = false;
        this.#ducked = false;
        break;
      case 'flush-playout':
        assert.equal(effect.epoch, this.#current, 'only the current reply is flushed');
        assert.ok(!this.#gone.has(effect.epoch), 'flushed once');
        this.#gone.add(effect.epoch);
        if (effect.interrupted && event.type !== 'ended') {
          assert.equal(following?.type, 'barge-in', 'a cut is a barge-in');
        }
        break;
      case 'barge-in':
        assert.ok(this.#gone.has(effect.epoch), 'flushed before');
        this.#current = null;
        this.bargeIns++;
        break;
      case 'pause-playout':
        assert.ok(!this.#paused && this.#current !== null, 'only who speaks is paused');
        this.#paused = true;
        break;
      case 'duck-playout':
        assert.ok(!this.#paused && !this.#ducked && this.#current !== null, 'only who speaks lowers the voice');
        this.#ducked = true;
        break;
      case 'unduck-playout':
        assert.ok(this.#ducked && !this.#paused, 'only a lowered voice is raised');
        this.#ducked = false;
        break;
      case 'resume-playout':
        assert.ok(this.#paused, 'only who is paused goes on');
        this.#paused = false;
        this.#ducked = false;
        break;
      case 'begin-utterance':
        assert.ok(effect.utterance > this.#newestUtterance, 'utterances grow');
        this.#newestUtterance = effect.utterance;
        this.#openUtterance = effect.utterance;
        break;
      case 'finish-utterance':
        assert.equal(effect.utterance, this.#openUtterance, 'only the open utterance is finished, once');
        this.#openUtterance = null;
        break;
      case 'arm-timer':
        assert.ok(effect.serial > this.#newestSerial, 'serials grow');
        this.#newestSerial = effect.serial;
        break;
      case 'unanswered-turn':
        this.unanswered.push(effect.text);
        break;
      default:
    }
  }

  #commit(epoch: number, cause: Extract<TurnEffect, { type: 'want-reply' }>['cause']): void {
    assert.ok(!this.#gone.has(epoch), 'a dropped reply is not committed');
    this.#current = epoch;
    if (cause.kind === 'turn') this.turns.set(epoch, cause.text);
    if (cause.kind === 'digits') this.digits.push(cause.digits);
    if (cause.kind === 'requested') this.requests.push(cause.request);
  }
}
