// The page of calls that were refused before they had a record, for an ADMIN.
import type { InviteRefusal } from '../../../../../db/domain/calls/invite-refusals.ts';
import { formatNumber, formatWord } from '../../format.ts';
import { link } from '../../router.ts';
import { Badge, Empty, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useAll } from '../../use-all.ts';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';

const EVERY_MS = 10_000;
const REASONS: Record<InviteRefusal, string> = {
  source_not_allowed: words('The address is no trunk’s, and in no allowed network'),
  capacity: words('All places for calls were taken (MAX_CALLS)'),
  stopping: words('The service was being stopped'),
  database: words('The database did not answer'),
  unknown_number: words('No account has this number'),
  number_inactive: words('The number is inactive'),
  no_campaign: words('The number serves no campaign, and its account has no default one'),
  campaign_not_answering: words('The number’s campaign is neither running nor completed'),
  look_up: words('The look-up of the business refused the caller'),
  softphone_may_not_call: words('The softphone’s account may call nobody'),
  no_common_codec: words('No common codec'),
  media_address: words('Its audio was at IPv6 where the service has IPv4, or at a name without an address'),
  srtp: words('SRTP was required and not offered, or offered without TLS or with a key that is not usable'),
  bad_request: words(
    'No Contact, a sips address without TLS, or a SIP extension, body or session timer that is not understood',
  ),
};

/** The list of reasons is open: another engine's may be of a later release, and is shown as it is called. */
function wordsOf(reason: string): string {
  const known = (REASONS as Record<string, string>)[reason];
  return known === undefined ? formatWord(reason) : t(known);
}

export default function RefusedCallsPage() {
  const calls = useApi('listRefusedCalls', { query: { page: currentPage(), limit: 50 } }, { everyMs: EVERY_MS });
  const trunks = useAll('listTrunks');
  const nameOf = (id: string) => trunks.answer?.find((trunk) => trunk.id === id)?.name ?? id;
  return (
    <Page title={t('Refused calls')} lead={t('Calls that were refused before there was a call: the newest 1,000.')}>
      <List
        of={calls}
        label={t('Refused calls')}
        empty={
          <Empty title={t('No call was refused')}>
            {t(
              'If a caller gets no answer and nothing appears here, the call has not reached this service: look at the provider’s routing and the firewall.',
            )}
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          { title: t('When'), cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: t('Why'),
            cell: ({ reason, sipStatus, count }) => (
              <span class="row">
                {wordsOf(reason)}
                <Badge>{sipStatus}</Badge>
                {count > 1 && <Badge tone="warn">{t('{count} times', { count: formatNumber(count) })}</Badge>}
              </span>
            ),
          },
          { title: t('Called'), cell: ({ calledNumber }) => <span class="number">{calledNumber}</span> },
          { title: t('Caller'), cell: ({ callerNumber }) => <span class="number">{callerNumber}</span> },
          {
            title: t('From'),
            cell: ({ trunkId, sourceAddress }) => (
              <span class="row">
                {trunkId !== null && <a href={link(`/admin/trunks/${trunkId}`)}>{nameOf(trunkId)}</a>}
                <span class="soft">{sourceAddress}</span>
              </span>
            ),
          },
        ]}
      />
    </Page>
  );
}
