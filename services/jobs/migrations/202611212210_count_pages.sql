-- kiln: additive
-- What a job counts for once it completes, in hundredths of a page (work with the organization's own key counts 60 for one). Written
-- with what its run has used; a run of a release before noted nothing, and counts as a page.
alter table jobs add column page_hundredths integer not null default 100;

-- Pages used, summed up by month. Only the summing up writes here, so nothing that completes a job waits for a row of its tenant's.
create table usage_totals (
  tenant_id  uuid   not null,
  -- The first day of the month, in UTC.
  period     date   not null,
  hundredths bigint not null,
  primary key (tenant_id, period)
);

-- Pages of completed runs that are not summed up yet: what was used is this and the total.
create table usage_entries (
  tenant_id  uuid    not null,
  period     date    not null,
  job_id     uuid    not null,
  fence      integer not null,
  hundredths integer not null,
  primary key (tenant_id, period, job_id, fence)
);

-- Room for the pages of a job that was or is about to be accepted, under a plan that ends hard. Whether it still counts is read from the job: see
-- page-reservation.store.ts.
create table page_reservations (
  tenant_id   uuid           not null,
  job_id      uuid           not null,
  -- One page, or all of them once they are known.
  hundredths  bigint         not null,
  -- Of the plan, when the job was accepted.
  pages_limit bigint         not null,
  reserved_at timestamptz(3) not null,
  -- Until then it counts without a job.
  expires_at  timestamptz(3) not null,
  primary key (tenant_id, job_id)
);
create index page_reservations_by_expiry on page_reservations (expires_at);
