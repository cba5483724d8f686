// A call's status as a badge, for every table and page that shows calls.
import type { Call } from '../api-types.ts';
import { Badge } from '../ui/layout.tsx';
import { statusTone, statusWords } from './words.ts';

/** The state or outcome of a call. */
export function CallStatus({ call }: { call: Pick<Call, 'status' | 'outcome'> }) {
  return <Badge tone={statusTone(call)}>{statusWords(call)}</Badge>;
}
