// The fields of a suite: whom it tries, and when.
import * as LIMITS from '../../api-limits.ts';
import type { TestSuite } from '../../api-types.ts';
import type { Form } from '../../form.ts';
import { Checkbox, Select, TextField } from '../../ui/fields/field.tsx';
import { CampaignField } from '../../ui/fields/record-field.tsx';
import { Card } from '../../ui/layout.tsx';
import { useAll } from '../../use-all.ts';
import { t } from '../../words/words.ts';

export interface SuiteValues {
  name: string;
  agentId: string;
  businessId: string;
  campaignId: string | null;
  runOnSave: boolean;
  requiredToPublish: boolean;
  judge: string;
}

export const SUITE_FIELDS = ['name', 'agentId', 'businessId', 'campaignId', 'judge'];

export const valuesOfSuite = (suite: TestSuite): SuiteValues => ({
  name: suite.name,
  agentId: suite.agentId,
  businessId: suite.businessId,
  campaignId: suite.campaignId,
  runOnSave: suite.runOnSave,
  requiredToPublish: suite.requiredToPublish,
  judge: suite.judge ?? '',
});

export const bodyOf = <T extends Partial<SuiteValues>>({ judge, ...others }: T) => ({
  ...others,
  ...(judge === undefined ? {} : { judge: judge.trim() === '' ? null : judge.trim() }),
});

const choicesOf = (list: ReadonlyArray<{ id: string; name: string }> | null, value: string) => [
  ...(value === '' ? [{ value: '', text: t('Choose …') }] : []),
  ...(list ?? []).map(({ id, name }) => ({ value: id, text: name })),
];

export function SuiteFields({ form }: { form: Form<SuiteValues> }) {
  const agents = useAll('listAgents').answer;
  const businesses = useAll('listBusinesses').answer;
  const { values, field } = form;
  return (
    <Card>
      <TextField
        label={t('Name')}
        {...field('name')}
        placeholder={t('Opening hours')}
        limits={LIMITS.CreateTestSuiteBody.name}
        required
      />
      <Select label={t('Agent')} {...field('agentId')} choices={choicesOf(agents, values.agentId)} />
      <Select label={t('Business')} {...field('businessId')} choices={choicesOf(businesses, values.businessId)} />
      <CampaignField
        label={t('Campaign')}
        hint={t('Whose greeting, task and tools count too.')}
        none={t('None: the business alone')}
        {...field('campaignId')}
      />
      <Checkbox
        label={t('Run on every save')}
        hint={t('Its evals run when the agent, the business or one of their tools has changed.')}
        value={values.runOnSave}
        onChange={(runOnSave) => form.set('runOnSave', runOnSave)}
      />
      <Checkbox
        label={t('Required to publish')}
        hint={t('Changes that wait are published once all cases have passed with them.')}
        value={values.requiredToPublish}
        onChange={(requiredToPublish) => form.set('requiredToPublish', requiredToPublish)}
      />
      <TextField
        label={t('Judge')}
        hint={t('The language model that answers questions of checks. Empty: the one of the service.')}
        {...field('judge')}
        limits={LIMITS.CreateTestSuiteBody.judge}
      />
    </Card>
  );
}
