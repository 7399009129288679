import { useState } from 'react';
import { Field, Select } from '@/shared/ui';
import { ADMIN_CONTENT_RULES, UploadDialog, type UploadedFile } from '@/shared/uploads';
import { ChosenPerson } from '../../gifts/person-search';
import { MemberSearch } from '../member-search';
import { sayNotUploaded, SURFACE_LABELS, useAssignContent, type Surface } from './use-gallery';
import type { AdminUser } from '../use-admin';

const SURFACES = [
  { value: 'discovery', label: SURFACE_LABELS.discovery },
  { value: 'feed', label: SURFACE_LABELS.feed },
] as const satisfies readonly { value: Surface; label: string }[];

export interface AssignDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** A file for a member: both are chosen, it is sent and becomes theirs (rule admin-13). */
export function AssignDialog({ open, onOpenChange }: AssignDialogProps) {
  const [member, setMember] = useState<AdminUser | null>(null);
  const [surface, setSurface] = useState<Surface>('discovery');
  const { mutateAsync: assign } = useAssignContent();

  const register = async ({ kind, mediaUrl }: UploadedFile) => {
    if (member !== null) await assign({ userId: member.id, mediaUrl, contentType: kind, surface });
  };
  const change = (next: boolean) => {
    onOpenChange(next);
    if (next) return;
    setMember(null);
    setSurface('discovery');
  };
  return (
    <UploadDialog
      open={open}
      onOpenChange={change}
      title="Upload content for a member"
      description="An image or a video, up to 100MB. It becomes the member’s own."
      rules={ADMIN_CONTENT_RULES}
      submitText="Upload and assign"
      submitDisabled={member === null}
      onUploaded={register}
      onSendFailed={sayNotUploaded}
    >
      {member === null ? (
        <MemberSearch onChoose={setMember} />
      ) : (
        <Field label="Member">
          <ChosenPerson person={member} detail={member.email} onClear={() => setMember(null)} />
        </Field>
      )}
      <Field label="Shown in" hint="Discovery content can appear on the member’s card. The scroll feed shows posts.">
        <Select
          options={SURFACES}
          value={surface}
          onChange={({ target }) => setSurface(target.value === 'feed' ? 'feed' : 'discovery')}
        />
      </Field>
    </UploadDialog>
  );
}
