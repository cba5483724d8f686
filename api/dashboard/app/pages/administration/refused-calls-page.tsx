// The page of calls that were refused before they had a record, for an ADMIN.
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
/** The list of reasons is open: an unknown reason is shown unchanged. */
const REASONS: Record<string, string> = {
  source_not_allowed: words('The address is no trunk’s, and in no allowed network'),
  capacity: words('All places for calls were taken (MAX_CALLS)'),
  stopping: words('The service was being stopped'),
  unknown_number: words('No account has this number'),
  number_inactive: words('The number is inactive'),
  no_campaign: words('The number serves no campaign, and its account has no default one'),
  campaign_not_answering: words('The number’s campaign is neither running nor completed'),
  look_up: words('The look-up of the business refused the caller'),
  no_common_codec: words('No common codec, or SRTP was required and not offered'),
  bad_request: words('A SIP extension, body or session timer that is not understood'),
};

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
                {REASONS[reason] === undefined ? formatWord(reason) : t(REASONS[reason])}
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
