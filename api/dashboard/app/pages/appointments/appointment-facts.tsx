// Facts of an appointment in its list and its dialog: what came of the call before it, how it was changed last,
// and where it was booked.
import type { Appointment } from '../../api-types.ts';
import { link } from '../../router.ts';
import { Badge } from '../../ui/layout.tsx';
import { t, words } from '../../words/words.ts';

/** The call before it. */
const REMINDED: Record<NonNullable<Appointment['reminder']>['state'], string> = {
  calling: words('Is being called'),
  confirmed: words('Comes, as said when called'),
  moved: words('Moved when called'),
  cancelled: words('Cancelled when called'),
  undecided: words('Called: neither yes nor no'),
  unreached: words('Called: nobody reached'),
};

const CHANGED = {
  call: words('Changed by a caller'),
  client: words('Changed here'),
  calendar: words('Changed in a calendar'),
} as const;

export function StatusOf({ status, history, reminder }: Appointment) {
  const last = history.at(-1);
  return (
    <div class="stack tight">
      <div>
        <Badge tone={status === 'booked' ? 'good' : 'neutral'}>
          {status === 'booked' ? t('Booked') : t('Cancelled')}
        </Badge>
      </div>
      {last !== undefined && <span class="small soft">{t(CHANGED[last.by])}</span>}
      {reminder !== null && (
        <a class="small" href={link(`/calls/${reminder.callId}`)}>
          {t(REMINDED[reminder.state])}
        </a>
      )}
    </div>
  );
}

export function OriginOf({ callId, conversationId }: Appointment) {
  if (conversationId !== null) return <a href={link(`/messages/${conversationId}`)}>{t('Read')}</a>;
  if (callId !== null) return <a href={link(`/calls/${callId}`)}>{t('Listen')}</a>;
  return <span class="soft">{t('By hand')}</span>;
}
