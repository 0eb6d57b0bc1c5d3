-- Names, mail, tax number and place of an agency, without case and accents: what staff looks through. Folding them with
-- every search took most of its time.
alter table agencias add column busqueda text not null generated always as (
  lower(translate(
    nombre || ' ' || coalesce(razon_social, '') || ' ' || admin_mail || ' ' || replace(coalesce(id_fiscal, ''), '-', '')
      || ' ' || coalesce(ciudad, '') || ' ' || coalesce(region, ''),
    'áéíóúàèìòùâêîôûäëïöüãõçñÁÉÍÓÚÀÈÌÒÙÂÊÎÔÛÄËÏÖÜÃÕÇÑ', 'aeiouaeiouaeiouaeiouaocnaeiouaeiouaeiouaeiouaocn'))
) stored;
