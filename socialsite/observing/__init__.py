"""What the site tells its operators: figures and log lines. Everything else may use it, and it uses nothing."""
