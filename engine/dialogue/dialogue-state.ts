// A conversation as another process goes on with it.
import type { CallUsage } from '../../db/records/resources.ts';
import type { Asked } from '../turn/expectation.ts';
import type { FailedTurnsState } from './failed-turns.ts';
import type { History } from './history.ts';
import type { ModelMemory } from './model-answers.ts';
import type { AccountToolsState } from './tools/account-tools.ts';
import type { ToolAction } from './tools/tool.ts';

/** The state from which another process goes on with the conversation, as JSON. */
export interface DialogueState {
  history: History;
  memory: ModelMemory;
  usage: CallUsage | null;
  failed: FailedTurnsState;
  toolsUsed: string[];
  booked: Array<{ service: string | null; startsAtText: string }>;
  /** Absent: an earlier release wrote it. */
  accountTools?: AccountToolsState;
  pending: ToolAction | null;
  /** All that the agent is saying, or has yet to say; null while it says nothing. */
  saying: { epoch: number; text: string } | null;
  isHandedOver: boolean;
  isMuted: boolean;
  wantsCallBack: boolean;
  /** A client of the API wants the agent silent; absent: it does not, or an earlier release wrote it. */
  isSilenced?: boolean;
  /** The agent's question is for these; absent: for anything, or an earlier release wrote it. */
  asked?: Asked;
  /** Instructions from clients of the API; absent: none. */
  told?: string[];
}
