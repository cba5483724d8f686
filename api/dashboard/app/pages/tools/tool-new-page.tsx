// The page that adds a tool.
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { leave, link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Page } from '../../ui/layout.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { say } from '../../ui/toast.tsx';
import { useUnsaved } from '../../unsaved.ts';
import { t } from '../../words/words.ts';
import { TOOL_FIELDS, ToolFields } from './tool-fields.tsx';
import { createBodyOf, NEW_TOOL } from './tool-form.ts';

export default function ToolNewPage() {
  const form = useForm(NEW_TOOL, async ({ values }) => {
    const { data, warnings } = await call('createTool', { body: createBodyOf(values) });
    leave(link(`/tools/${data.id}`, { tab: warnings === undefined ? 'try' : undefined }));
    say([t('Created {name}', { name: data.name }), ...(warnings ?? [])].join('. '));
  });
  useUnsaved(form.isChanged);
  return (
    <Page
      title={t('New tool')}
      back={{ href: link('/tools'), text: t('Tools') }}
      lead={t(
        'It can be tried as soon as it is made. No call uses it before you choose it for an agent, a business or a campaign.',
      )}
    >
      <SubmitForm
        form={form}
        shown={TOOL_FIELDS}
        send={t('Create the tool')}
        beside={<ButtonLink href={link('/tools')}>{t('Cancel')}</ButtonLink>}
      >
        <ToolFields form={form} />
      </SubmitForm>
    </Page>
  );
}
