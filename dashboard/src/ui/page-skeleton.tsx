import { Skeleton, Stack } from '@mantine/core';

/** The outline of a page whose code or data is on its way. */
export function PageSkeleton() {
  return (
    <Stack gap="lg" role="status" aria-label="Loading">
      <Stack gap={10}>
        <Skeleton height={22} width={180} />
        <Skeleton height={13} width={320} maw="80%" />
      </Stack>
      <Skeleton height={220} radius="lg" />
      <Skeleton height={140} radius="lg" />
    </Stack>
  );
}
