-- name: worker
-- With the day of the last resolution about the same benefit. Nobody else decides about it now: the caller has the worker's lock.
select nss, curp, given_names, surname, second_surname, opened_on, weeks, left_on, married_on, last_wage, mean_wage, balance,
       delegation, subdelegation, clinic,
       (select max(r.resolved_on) from turno_certification_resolution r
         where r.nss = w.nss and r.benefit = :benefit) as resolved_on
  from turno_certification_worker w where w.nss = :nss;

-- name: resolve
insert into turno_certification_resolution (folio_id, nss, benefit, resolved_on, amount)
values (:decision_id, :nss, :benefit, :resolved_on, :amount);

-- name: workers
select count(*) as workers from turno_certification_worker;

-- name: add-worker
insert into turno_certification_worker
      (nss, curp, given_names, surname, second_surname, opened_on, weeks, left_on, married_on, last_wage, mean_wage, balance,
       delegation, subdelegation, clinic)
values (:nss, :curp, :given_names, :surname, :second_surname, :opened_on, :weeks, :left_on, :married_on, :last_wage, :mean_wage, :balance,
        :delegation, :subdelegation, :clinic)
on conflict (nss) do nothing;
