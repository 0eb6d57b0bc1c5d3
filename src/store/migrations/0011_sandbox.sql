-- What the sandbox answers by itself (src/sandbox), looked for every second.
create index invitaciones_sandbox on invitaciones (id) where modo = 'prueba' and estado = 'pendiente';
