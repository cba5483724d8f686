// The page that makes a test suite.
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { leave, link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Page } from '../../ui/layout.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { t } from '../../words/words.ts';
import { bodyOf, SUITE_FIELDS, SuiteFields, type SuiteValues } from './suite-fields.tsx';

const INITIAL: SuiteValues = {
  name: '',
  agentId: '',
  businessId: '',
  campaignId: null,
  runOnSave: true,
  requiredToPublish: false,
  judge: '',
};

export default function SuiteNewPage() {
  const form = useForm(INITIAL, async ({ values }) => {
    const { data } = await call('createTestSuite', { body: bodyOf(values) });
    leave(link(`/tests/${data.id}`));
  });
  return (
    <Page title={t('New suite')} back={{ href: link('/tests'), text: t('Tests') }}>
      <SubmitForm
        form={form}
        isNarrow
        shown={SUITE_FIELDS}
        send={t('Create the suite')}
        beside={<ButtonLink href={link('/tests')}>{t('Cancel')}</ButtonLink>}
      >
        <SuiteFields form={form} />
      </SubmitForm>
    </Page>
  );
}
