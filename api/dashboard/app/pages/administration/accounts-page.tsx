// The page of all accounts of the installation, for an ADMIN, who sets their plans.
import { useState } from 'preact/hooks';
import type { Account, UpdateAnyAccountBody } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { formatMinutes, formatNumber, formatWord } from '../../format.ts';
import { session } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, Select } from '../../ui/fields/field.tsx';
import { Badge, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';
import { SPEND_FIELDS, SpendFields } from './spend-fields.tsx';

const PLANS: Record<Account['plan'], string> = {
  STARTER: words('Starter: 500 minutes a month'),
  PRO: words('Pro: 5,000 minutes a month'),
  ENTERPRISE: words('Enterprise: no limit'),
};

export default function AccountsPage() {
  const accounts = useApi('listAccounts', { query: { page: currentPage(), limit: 20 } });
  const [edited, setEdited] = useState<Account | null>(null);
  return (
    <Page
      title={t('Accounts')}
      lead={t('All accounts of this installation, their plans and their minutes of this month.')}
    >
      <List
        of={accounts}
        label={t('Accounts')}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('Name'),
            cell: ({ id, name }) => (
              <div>
                {name} {id === session.value?.user.accountId && <span class="soft">{t('(yours)')}</span>}
                <div class="small soft">{id}</div>
              </div>
            ),
          },
          { title: t('Plan'), cell: ({ plan }) => formatWord(plan) },
          { title: t('Minutes'), isNumber: true, cell: ({ minutes }) => <Minutes of={minutes} /> },
          {
            title: t('Beyond the plan'),
            cell: ({ overageEnabled, minutes }) =>
              minutes.limit === null ? (
                '–'
              ) : overageEnabled ? (
                <Badge tone="live">{t('Charged')}</Badge>
              ) : (
                <Badge>{t('Refused')}</Badge>
              ),
          },
          { title: t('Since'), cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: '',
            cell: (account) => (
              <Button
                isSmall
                onClick={() => setEdited(account)}
                label={t('Change the plan of {name}', { name: account.name })}
              >
                {t('Change')}
              </Button>
            ),
          },
        ]}
      />
      {edited !== null && (
        <PlanDialog account={edited} key={edited.id} onSaved={accounts.reload} onClose={() => setEdited(null)} />
      )}
    </Page>
  );
}

function Minutes({ of: { used, limit } }: { of: Account['minutes'] }) {
  const text =
    limit === null
      ? formatMinutes(used)
      : t('{done} of {total}', { done: formatMinutes(used), total: formatNumber(limit) });
  return limit !== null && used >= limit ? <Badge tone="bad">{text}</Badge> : <span>{text}</span>;
}

type Plan = Pick<Account, 'plan' | 'overageEnabled'> & Account['spendLimits'];

function PlanDialog({
  account: { id, name, plan, overageEnabled, spendLimits, spend },
  onSaved,
  onClose,
}: {
  account: Account;
  onSaved: () => void;
  onClose: () => void;
}) {
  const form = useForm<Plan>({ plan, overageEnabled, ...spendLimits }, async ({ changes }) => {
    const { plan: nextPlan, overageEnabled: nextOverage, ...limits } = changes;
    const body: UpdateAnyAccountBody = {
      ...(nextPlan === undefined ? {} : { plan: nextPlan }),
      ...(nextOverage === undefined ? {} : { overageEnabled: nextOverage }),
      ...(Object.keys(limits).length === 0 ? {} : { spendLimits: limits }),
    };
    await call('updateAnyAccount', { params: { id }, body });
    say(t('Saved'));
    onSaved();
    onClose();
  });
  return (
    <Dialog title={t('Plan of {name}', { name })} onClose={onClose}>
      <SubmitForm
        form={form}
        shown={['plan', ...SPEND_FIELDS]}
        send={t('Save')}
        disabled={!form.isChanged}
        onCancel={onClose}
      >
        <Select
          label={t('Plan')}
          {...form.field('plan')}
          choices={Object.entries(PLANS).map(([value, text]) => ({ value: value as Account['plan'], text: t(text) }))}
        />
        <Checkbox
          label={t('Minutes beyond the plan')}
          hint={t('$0.05 for each; without, outbound calls are refused when the minutes are used up')}
          {...form.field('overageEnabled')}
        />
        <p class="small soft">
          {t(
            'Outbound minutes, transfers included: past an alarm people are told, past a stop nobody is called. Spent in this hour: {hour}, today: {day}.',
            { hour: formatMinutes(spend.hour.minutes), day: formatMinutes(spend.day.minutes) },
          )}
        </p>
        <SpendFields form={form} empty={t('the default of the plan')} />
      </SubmitForm>
    </Dialog>
  );
}
