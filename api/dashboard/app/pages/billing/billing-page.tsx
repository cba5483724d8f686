// The page of the account's plan, its minutes and its payment.
import type { Account, BillingAccount, Charge } from '../../api-types.ts';
import { call } from '../../client.ts';
import { formatDateTime, formatMinutes, formatMoney, formatNumber, formatWord } from '../../format.ts';
import { link } from '../../router.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Badge, Card, Empty, Page, Progress, type Tone } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { Answer } from '../../ui/status.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { attempt } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';

export default function BillingPage() {
  const account = useApi('getAccount', {});
  const billing = useApi('getBilling', {});
  const costs = useApi('getCostSums', { query: { by: 'day' } });
  return (
    <Page
      title={t('Billing')}
      actions={costs.answer !== null && <ButtonLink href={link('/costs')}>{t('Costs of the calls')}</ButtonLink>}
    >
      <div class="columns">
        <Answer of={account}>{({ data }) => <Minutes account={data} />}</Answer>
        <Answer of={billing}>{({ data }) => <Payment billing={data} />}</Answer>
      </div>
      <Charges isRecordOnly={billing.answer?.data.provider === 'none'} />
    </Page>
  );
}

function Minutes({ account: { plan, minutes, overageEnabled } }: { account: Account }) {
  const { used, limit, resetsAt } = minutes;
  const shown = formatMinutes(used);
  const isOver = limit !== null && used >= limit;
  return (
    <Card title={t('Minutes of this month')} actions={<Badge tone="live">{formatWord(plan)}</Badge>}>
      <p>
        <strong class="number">{shown}</strong>{' '}
        {limit === null
          ? t('minutes used, without a limit')
          : t('of {limit} minutes used', { limit: formatNumber(limit) })}
      </p>
      {limit !== null && <Progress label={t('Minutes used')} value={Math.round(used)} max={limit} />}
      <p class="small soft">
        {limit === null ? '' : beyond(isOver, overageEnabled)}{' '}
        {t('Counted from zero again on {time}.', { time: formatDateTime(resetsAt) })}
      </p>
    </Card>
  );
}

function beyond(isOver: boolean, overageEnabled: boolean): string {
  if (overageEnabled) return t('Minutes beyond the plan cost $0.05 each.');
  return isOver
    ? t('The minutes are used up: outbound calls are refused, inbound calls are answered.')
    : t('When they are used up, outbound calls are refused; inbound calls are always answered.');
}

function Payment({ billing: { provider, hasCard, brand, last4 } }: { billing: BillingAccount }) {
  const setUp = () =>
    attempt(async () => {
      const { data } = await call('setUpBilling', {});
      location.assign(data.url);
    });
  if (provider === 'none') {
    return (
      <Card title={t('Payment')}>
        <p>
          {t('Nothing is charged on this installation. What numbers and minutes would cost is only recorded below.')}
        </p>
      </Card>
    );
  }
  return (
    <Card title={t('Payment')}>
      <p>
        {hasCard
          ? t('{brand} ending in {digits}', { brand: brand ?? t('Card'), digits: last4 ?? '····' })
          : t('No card yet: numbers that cost something cannot be bought.')}
      </p>
      <p class="small soft">{t('Cards are added on a page of Stripe; the one added last is charged.')}</p>
      <div>
        <Button look={hasCard ? 'normal' : 'primary'} onClick={() => void setUp()}>
          {hasCard ? t('Use another card') : t('Add a card')}
        </Button>
      </div>
    </Card>
  );
}

const TONES: Record<Charge['status'], Tone> = {
  recorded: 'neutral',
  pending: 'live',
  paid: 'good',
  refunded: 'warn',
  failed: 'bad',
};
const STATUSES: Record<Charge['status'], string> = {
  recorded: words('Recorded'),
  pending: words('Pending'),
  paid: words('Paid'),
  refunded: words('Refunded'),
  failed: words('Failed'),
};

function Charges({ isRecordOnly }: { isRecordOnly: boolean }) {
  const charges = useApi('listCharges', { query: { page: currentPage(), limit: 20 } });
  return (
    <div class="stack">
      <h2>{t('Charges')}</h2>
      <List
        of={charges}
        label={t('Charges')}
        empty={
          <Empty title={t('No charges')}>
            {isRecordOnly
              ? t('A number with a monthly price, and minutes beyond the plan, are recorded here.')
              : t('Numbers are charged for each calendar month, minutes beyond the plan when the month is over.')}
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          { title: t('Date'), cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: t('For'),
            cell: ({ kind, phoneNumber }) =>
              kind === 'number'
                ? t('Number {phoneNumber}', { phoneNumber: phoneNumber ?? '' })
                : t('Minutes beyond the plan'),
          },
          {
            title: t('State'),
            cell: ({ status }) => <Badge tone={TONES[status]}>{t(STATUSES[status])}</Badge>,
          },
          { title: t('Amount'), isNumber: true, cell: ({ amount, currency }) => formatMoney(amount, currency) },
        ]}
      />
    </div>
  );
}
