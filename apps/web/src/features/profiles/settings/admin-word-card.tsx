import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { api, currentUserQuery, errorSentence } from '@/shared/api';
import { Button, Card, ErrorNote, Field, PasswordInput, toast } from '@/shared/ui';

const schema = z.object({ word: z.string().check(z.trim(), z.minLength(1, 'Enter the word.')) });

/** For the account that the server's operator chose: the word proves that it is theirs. */
export function AdminWordCard() {
  const client = useQueryClient();
  const { register, handleSubmit, formState } = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { word: '' },
  });
  const enter = useMutation({
    mutationFn: (body: z.infer<typeof schema>) => api.post('/api/auth/admin-word', { body }),
    onSuccess({ user }) {
      toast({ title: 'You Are an Admin', description: 'The admin panel is in your menu now.' });
      client.setQueryData(currentUserQuery.queryKey, user);
    },
  });
  return (
    <Card
      className="mt-6"
      title="Become an Admin"
      description="This server names your address as its first admin. Enter the one-time word that it gave its operator."
    >
      <form
        noValidate
        aria-label="Become an Admin"
        className="grid gap-4"
        onSubmit={(event) => void handleSubmit((values) => enter.mutate(values))(event)}
      >
        <Field
          label="One-Time Word"
          hint="The server's log names the file that contains it."
          error={formState.errors.word?.message}
        >
          <PasswordInput {...register('word')} autoComplete="off" />
        </Field>
        {enter.isError && (
          <ErrorNote>{errorSentence(enter.error, 'The word could not be checked. Please try again.')}</ErrorNote>
        )}
        <Button type="submit" className="justify-self-start" pending={enter.isPending} pendingText="Please wait...">
          Become an Admin
        </Button>
      </form>
    </Card>
  );
}
