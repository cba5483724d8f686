// The operations of the engine's writer thread: each is one query function, run inside a group's transaction.
import { addEvent } from '../outbox.ts';
import * as bookingTries from '../queries/businesses/booking-tries.ts';
import * as businesses from '../queries/businesses/businesses.ts';
import * as afterCall from '../queries/calls/ended/after-call.ts';
import * as recordings from '../queries/calls/ended/recordings.ts';
import * as timelines from '../queries/calls/ended/timelines.ts';
import * as callLife from '../queries/calls/life.ts';
import * as callChanges from '../queries/calls/running/changes.ts';
import * as continuations from '../queries/calls/running/continuations.ts';
import * as dialogs from '../queries/calls/running/dialogs.ts';
import * as callFeed from '../queries/calls/running/feed.ts';
import * as liveViews from '../queries/calls/running/live-views.ts';
import * as orphans from '../queries/calls/running/orphans.ts';
import * as turnMinutes from '../queries/calls/running/turn-minutes.ts';
import * as uses from '../queries/costs/uses.ts';
import * as optOut from '../queries/dialling/opt-out.ts';
import * as applied from '../queries/engine/applied.ts';
import * as engines from '../queries/engine/engines.ts';
import * as deletions from '../queries/files/deletions.ts';
import * as analysis from '../queries/results/analysis.ts';
import * as reruns from '../queries/results/reruns.ts';
import * as tests from '../queries/test-runs/claims.ts';
import * as readInvites from '../queries/trunks/read-invites.ts';
import * as refusedCalls from '../queries/trunks/refused-calls.ts';
import * as sipBindings from '../queries/trunks/sip-bindings.ts';
import * as trunkStates from '../queries/trunks/trunk-states.ts';
import * as booking from '../rules/booking.ts';
import * as settlement from '../rules/campaign-settlement.ts';
import * as claims from '../rules/dial-claims.ts';
import * as engineClaims from '../rules/engine-claims.ts';
import * as rebooking from '../rules/rebooking.ts';
import * as reminding from '../rules/reminding.ts';
import * as scheduling from '../rules/scheduling.ts';
import * as spend from '../rules/spend.ts';
import * as textAnswers from '../rules/text-answers.ts';
import type { Db } from '../schema.ts';

export const operations = {
  createInboundCall: callLife.createInboundCall,
  markStarted: callLife.markStarted,
  markAnswered: callLife.markAnswered,
  markTransferred: callChanges.markTransferred,
  markLanguage: callChanges.markLanguage,
  changeCall: callChanges.changeCall,
  takeOverCall: orphans.takeOverCall,
  takeOrphan: orphans.takeOrphan,
  takeOrphans: orphans.takeOrphans,
  openTransferLeg: spend.openTransferLeg,
  answerTransferLeg: spend.answerTransferLeg,
  closeTransferLeg: spend.closeTransferLeg,
  closeTransferLegs: spend.closeTransferLegs,
  countReferral: spend.countReferral,
  storeDialog: dialogs.storeDialog,
  appendFeed: callFeed.appendFeed,
  auditControl: businesses.auditControl,
  countTurn: turnMinutes.countTurn,
  writeContinuation: continuations.writeContinuation,
  deleteContinuation: continuations.deleteContinuation,
  endCall: callLife.endCall,
  endUndialledCall: callLife.endUndialledCall,
  addUses: uses.addUses,
  replaceSummary: afterCall.replaceSummary,
  replaceRecording: afterCall.replaceRecording,
  storeRecording: recordings.storeRecording,
  loseRecording: recordings.loseRecording,
  deleteFile: (db: Db, { key, nowMs }: { key: string; nowMs: number }) =>
    deletions.addFileDeletions(db, [key], { nowMs }),
  replaceTimeline: timelines.replaceTimeline,
  storeAnalysis: analysis.storeAnalysis,
  storeRerun: reruns.storeRerun,
  endRerun: reruns.endRerun,
  claimTest: tests.claimTest,
  holdTest: tests.holdTest,
  releaseTest: tests.releaseTest,
  finishTest: tests.finishTest,
  claimConversation: textAnswers.claimConversation,
  holdConversation: textAnswers.holdConversation,
  releaseConversation: textAnswers.releaseConversation,
  answerConversation: textAnswers.answerConversation,
  claimRequests: engineClaims.claimRequests,
  finishRequest: engineClaims.finishRequest,
  giveRequest: engineClaims.giveRequest,
  expireRequests: engineClaims.expireRequests,
  pruneFeed: callFeed.pruneFeed,
  writeWords: liveViews.writeWords,
  pruneViews: liveViews.pruneViews,
  writeEngine: engines.writeEngine,
  beatEngine: engines.beatEngine,
  markEngineDead: engines.markEngineDead,
  /** As the spool of an earlier release has it. */
  buryEngine: engines.markEngineDead,
  forgetOperations: applied.forgetOperations,
  forgetEngines: engines.forgetEngines,
  writeEngineVoices: engines.writeEngineVoices,
  writeTrunkState: trunkStates.writeTrunkState,
  writeSipBinding: sipBindings.writeSipBinding,
  deleteSipBinding: sipBindings.deleteSipBinding,
  claimAttempts: claims.claimAttempts,
  deferContacts: claims.deferContacts,
  forgetDeferrals: claims.forgetDeferrals,
  excludeContacts: claims.excludeContacts,
  settleCampaigns: settlement.settleCampaigns,
  bookAppointment: booking.bookAppointment,
  addBookingTry: bookingTries.addBookingTry,
  changeAppointment: rebooking.changeAppointment,
  scheduleCallback: scheduling.scheduleCallback,
  confirmAppointment: reminding.confirmAppointment,
  optOut: optOut.optOut,
  addReadInvites: readInvites.addReadInvites,
  addRefusedCalls: refusedCalls.addRefusedCalls,
  addEvent,
} satisfies Record<string, (db: Db, args: never) => Promise<unknown>>;

type Operations = typeof operations;
export type OperationName = keyof Operations;
export type OperationArgs<N extends OperationName> = Parameters<Operations[N]>[1];
export type OperationResult<N extends OperationName> = Awaited<ReturnType<Operations[N]>>;
