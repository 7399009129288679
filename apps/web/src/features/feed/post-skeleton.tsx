import { Skeleton } from '@/shared/ui';

/** A placeholder in the shape of a post. */
export function PostSkeleton() {
  return (
    <div
      aria-hidden="true"
      className="overflow-hidden border-y border-line bg-sky-800 max-sm:-mx-4 sm:rounded-lg sm:border-x"
    >
      <div className="flex items-center gap-3 p-4">
        <Skeleton className="size-10 rounded-full" />
        <div className="grid gap-2">
          <Skeleton className="h-4 w-36" />
          <Skeleton className="h-3 w-20" />
        </div>
      </div>
      <Skeleton className="aspect-square max-h-[68dvh] w-full rounded-none" />
      <div className="grid gap-3 p-4">
        <Skeleton className="h-4 w-3/4" />
        <Skeleton className="h-4 w-48" />
        <Skeleton className="h-9 w-56" />
      </div>
    </div>
  );
}
