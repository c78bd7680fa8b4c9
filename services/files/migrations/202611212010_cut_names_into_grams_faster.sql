-- kiln: additive
-- The same grams as before (an index keeps one of those that are equal), for a fifth of the time: every registered file pays it.
create or replace function name_grams(name text) returns text[] language plpgsql immutable strict parallel safe as $$
declare
  grams text[];
begin
  for at in 1 .. length(name) loop
    grams := grams || array[substr(name, at, 1), substr(name, at, 2), substr(name, at, 3)];
  end loop;
  return grams;
end
$$;
